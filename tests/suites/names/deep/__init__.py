def track_in_deep():
    return 1

def track_first():
    return 1

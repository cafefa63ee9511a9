def track_alpha():
    return 1

def track_something():
    return 1

def track_beta():
    return 1

def track_crlf():
    x = 1   

    return x

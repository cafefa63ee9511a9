import a_package_that_does_not_exist


def track_delta():
    return a_package_that_does_not_exist.answer

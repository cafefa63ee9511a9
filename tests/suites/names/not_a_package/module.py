raise AssertionError("a folder without __init__.py is not part of the suite")

"""Code as text, run by a fresh interpreter."""

rounds = 1
repeat = 2
warmup_time = 0


def timeraw_text():
    return """
    x = 1
    x + 1
    """


def timeraw_pair():
    return "sorted(items)", "items = list(range(10))"


def timeraw_quotes():
    return '''
    a = """text"""
    b = 'more'
    '''


def timeraw_fails():
    return "1 / 0"


class Several:
    number = 3
    params = ["1", "2"]

    def timeraw_param(self, text):
        return f"int({text!r})"

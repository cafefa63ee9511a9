"""Parameter strings that are hard on tables, file formats and selections."""


class Odd:
    params = ["\u00e4\u00f6\u00fc \u2192 \U0001f600", "x" * 300, "a | b`c` <d> @e #1", "line\nbreak", "tab\there"]
    param_names = ["text"]

    def track_length(self, text):
        return len(text)

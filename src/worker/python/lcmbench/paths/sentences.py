"""Errors that are told to the user as they are: their message is a sentence, and no traceback says more."""


class Sentence(Exception):
    """Something that was asked for cannot be used; the message says what and why."""

"""Helpers that benchmark suites can import while `lcmbench` measures them."""

"""Makes the embedded package `lcmbench` importable, for tests of its modules."""

import os
import sys

FOLDER = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "worker", "python"))

if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

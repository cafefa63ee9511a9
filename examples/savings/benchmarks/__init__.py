"""Benchmarks of `savings`.

The package is imported from the checkout that this folder lies in, so nothing needs to be installed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

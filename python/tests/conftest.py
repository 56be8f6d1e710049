"""Makes the package importable from the source tree."""

import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PACKAGE))

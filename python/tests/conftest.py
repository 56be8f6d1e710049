"""Makes the package importable from the source tree, and hides the GPUs from all tests but those of test_gpu.py."""

import os
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PACKAGE))

# A variable, because pytest-xdist starts further processes with this environment.
VISIBLE_GPUS = os.environ.setdefault("SPUR_TEST_GPUS", os.environ.get("CUDA_VISIBLE_DEVICES", "0"))
# With several ranks on one GPU nccl fails, and the tests compare losses of equal devices.
os.environ["CUDA_VISIBLE_DEVICES"] = ""

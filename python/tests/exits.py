"""Ends without `destroy_process_group`, and prints whether the process group is released at the exit."""

import atexit
import pathlib
import sys
import weakref

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import torch

import spur.torch as spur


def print_group():
    print("released" if group() is None else "the group exists")


atexit.register(print_group)
spur.init_process_group()
group = weakref.ref(torch.distributed.distributed_c10d._get_default_group())
model = spur.DistributedDataParallel(torch.nn.Linear(4, 1))
model(torch.ones(4, 4)).sum().backward()

"""Start of the ranks of a generation while those of the previous one still train, on other devices.

1. The ranks build their model in a process group of their own, and wait in `spur.restore`.
2. The previous ranks save a checkpoint and stop. The agent then writes the variables of the start to the file that
   `SPUR_WARM_UP` names.
3. The ranks form their process group, and load the checkpoint.
"""

from __future__ import annotations

import json
import os
import sys
import time

import torch.distributed as dist

from spur.assignment import Batch, current
from spur.torch import _session

POLL_SECONDS = 0.02


def is_requested() -> bool:
    """Whether this rank was started before the previous ranks have stopped, and waits for its start."""
    return bool(os.environ.get("SPUR_WARM_UP"))


def await_start(session: _session.Session) -> None:
    """Reports to the agent that this rank is ready, waits for the start, and forms the process group of all ranks."""
    ready = "ready-" + os.path.basename(os.environ["SPUR_PROCESS_DIR"])
    with open(os.path.join(session.assignment.report_dir or "", ready), "w", encoding="ascii"):
        pass
    while not os.path.exists(os.environ["SPUR_WARM_UP"]):
        if session.reporter.should_stop():
            sys.exit(0)
        time.sleep(POLL_SECONDS)
    with open(os.environ.pop("SPUR_WARM_UP"), encoding="utf-8") as file:
        os.environ.update(json.load(file))
    dist.destroy_process_group()
    backend, options = _session.group_options()
    dist.init_process_group(backend, **options)
    session.assignment = current()
    session.set_ranks(dist.get_rank(), dist.get_world_size(), session.assignment.batch or Batch(1), 0)
    for model in session.models:
        model.rebuild()

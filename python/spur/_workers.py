"""Workers of the data loader of a training during a stop."""

from __future__ import annotations

import os
from typing import Any, Callable, Optional

from spur.assignment import current


def init(script: Optional[Callable[[int], Any]]) -> Optional[Callable[[int], Any]]:
    """Returns the `worker_init_fn` of a PyTorch `DataLoader`, which calls that of the script.

    The agent stops a rank by a signal to its process group. PyTorch ends a worker that receives it, and the rank then
    fails before it has saved. So a worker has a process group of its own. It ends when its rank has ended.
    """
    return script if current().report_dir is None else _OwnGroup(script)


class _OwnGroup:
    """A class, because workers that are not forked receive it by pickle."""

    def __init__(self, script: Optional[Callable[[int], Any]]) -> None:
        self._script = script

    def __call__(self, worker: int) -> None:
        os.setpgid(0, 0)
        if self._script is not None:
            self._script(worker)

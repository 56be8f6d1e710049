"""Functions that the callbacks for Hugging Face and Lightning share."""

from __future__ import annotations

import os
from typing import Any, Callable, Optional

from spur.assignment import Assignment


def sums(*values: float) -> list[float]:
    """Returns the sum of each value over the ranks. Every rank calls it after the same step."""
    import torch
    import torch.distributed as dist

    if not dist.is_available() or not dist.is_initialized() or dist.get_world_size() == 1:
        return [float(value) for value in values]
    device = "cuda" if dist.get_backend() == "nccl" else "cpu"
    total: Any = torch.tensor([float(value) for value in values], dtype=torch.float64, device=device)
    dist.all_reduce(total)
    numbers: list[float] = total.tolist()
    return numbers


def newest(assigned: Assignment, find: Callable[[str], Optional[str]]) -> Optional[str]:
    """Returns the first result of `find` on the folders to resume from."""
    for folder in assigned.resume_folders:
        found = find(folder) if os.path.isdir(folder) else None
        if found is not None:
            return found
    return None


def fence(assigned: Assignment) -> None:
    """Creates the folder of this generation before any is read; from then on older generations do not save."""
    if assigned.write_dir:
        os.makedirs(assigned.write_dir, exist_ok=True)

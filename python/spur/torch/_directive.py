"""Directive of the agent: a new batch for the running ranks."""

from __future__ import annotations

import json
import os
import time
from typing import Optional

from spur import _log
from spur.assignment import Batch

READ_SECONDS = 0.2
"""Minimum time between two reads of the file."""


class DirectiveFile:
    """The file `directive` in the folder of the reporter. Rank 0 reads it and sends it with the next sum."""

    def __init__(self, folder: Optional[str]) -> None:
        self._path = os.path.join(folder, "directive") if folder else None
        self._read_at = float("-inf")
        self._modified: Optional[tuple[int, int]] = None

    def read(self, world_size: int) -> Optional[Batch]:
        """Returns the batch of a new directive; None without one. A malformed directive is logged and ignored."""
        now = time.monotonic()
        if self._path is None or now - self._read_at < READ_SECONDS:
            return None
        self._read_at = now
        try:
            status = os.stat(self._path)
            modified = status.st_mtime_ns, status.st_ino
            if modified == self._modified:
                return None
            self._modified = modified
            with open(self._path, encoding="utf-8") as file:
                stated = json.load(file)["batch"]
            batch = Batch(int(stated["perDevice"]), int(stated["accumulation"]) + 1)
            if batch.total(world_size) != int(stated["global"]):
                raise ValueError(f"{world_size} ranks x {batch.per_device} x {batch.passes} is not {stated['global']}")
            return batch
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.once(
                f"The directive {self._path} is ignored: {type(error).__name__}: {error}. The training continues."
            )
            return None

"""Directive of the agent: a new batch, and new ranks, for the running training."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from typing import Any, Optional

from spur import _log
from spur.assignment import Batch

READ_SECONDS = 0.2
"""Minimum time between two reads of the file."""


@dataclass(frozen=True)
class Rescale:
    """New ranks of a running training.

    `ranks` has the current rank of each new rank; None for one that joins. Ranks that are not listed leave. Rank 0
    stays rank 0, and hosts the rendezvous of the new ranks at `address` and `port`.
    """

    number: int
    ranks: tuple[Optional[int], ...]
    address: str
    port: int

    @staticmethod
    def of(stated: Any, world_size: int) -> Rescale:
        """Reads the member `rescale` of a directive for a training of `world_size` ranks."""
        ranks = tuple(None if rank is None else int(rank) for rank in stated["ranks"])
        stay = [rank for rank in ranks if rank is not None]
        if not ranks or ranks[0] != 0:
            raise ValueError(f"ranks {list(ranks)} must begin with 0: rank 0 stays rank 0")
        if len(stay) != len(set(stay)) or max(stay) >= world_size:
            raise ValueError(f"ranks {list(ranks)} must name some of {world_size} ranks, each once")
        master = stated["master"]
        return Rescale(int(stated["number"]), ranks, str(master["address"]), int(master["port"]))


@dataclass(frozen=True)
class Directive:
    """The batch of each rank, and the ranks where they change as well."""

    batch: Batch
    rescale: Optional[Rescale] = None


class DirectiveFile:
    """The file `directive` of the agent. Rank 0 reads it and sends it with the next sum."""

    def __init__(self, folder: Optional[str]) -> None:
        self._path = os.path.join(folder, "directive") if folder else None
        self._read_at = float("-inf")
        self._modified: Optional[tuple[int, int]] = None

    def read(self, world_size: int, rescaled: int = 0) -> Optional[Directive]:
        """Returns a new directive; None without one. A malformed directive is logged and ignored.

        `rescaled` is the number of the last change of the ranks, which the directive may repeat.
        """
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
                stated = json.load(file)
            change = stated.get("rescale")
            rescale = Rescale.of(change, world_size) if change and int(change["number"]) > rescaled else None
            ranks = len(rescale.ranks) if rescale else world_size
            batch = Batch(int(stated["batch"]["perDevice"]), int(stated["batch"]["accumulation"]) + 1)
            if batch.total(ranks) != int(stated["batch"]["global"]):
                raise ValueError(f"{ranks} ranks x {batch.per_device} x {batch.passes} is not the global batch")
            return Directive(batch, rescale)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.once(
                f"The directive {self._path} is ignored: {type(error).__name__}: {error}. The training continues."
            )
            return None

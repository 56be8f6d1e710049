"""Batches of the training data: each global batch is split over ranks and passes, without repetition in an epoch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Optional

import torch
import torch.utils.data

from spur import _workers
from spur.torch import _session


class DataLoader:
    """Iterates over the rest of the current epoch, in batches for one pass of this rank.

    `batch_size` is the global batch that the script was written for; a plan may state another one. The order of an
    epoch depends on `seed` and the epoch only, so the batches are the same for every number of ranks. Samples at the
    end of an epoch that do not fill a global batch are left out. `max_per_device` limits the samples of a pass;
    further options are those of `torch.utils.data.DataLoader`; `num_workers` defaults to the granted CPUs of the
    process at its start. A training has one such loader; others, such as for validation, are PyTorch's own.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int,
        *,
        shuffle: bool = True,
        seed: int = 0,
        max_per_device: Optional[int] = None,
        **options: Any,
    ) -> None:
        for name in ("sampler", "batch_sampler", "drop_last"):
            if name in options:
                raise TypeError(f"spur.DataLoader has no option {name}: the order and the batches follow from the plan")
        self.dataset = dataset
        self._shuffle = shuffle
        self._seed = seed
        workers = int(os.environ.get("SPUR_LOADER_WORKERS", "0"))
        self._options = {
            "num_workers": workers,
            **options,
            "worker_init_fn": _workers.init(options.get("worker_init_fn")),
        }
        self._session = _session.session()
        self._session.set_script_batch(batch_size, max_per_device, len(dataset))
        batch = self._session.global_batch
        if batch > len(dataset):
            raise ValueError(
                f"the global batch of {batch} samples exceeds the {len(dataset)} samples of the dataset: "
                "choose a smaller batch_size, and a smaller batch.max in the job"
            )

    def __len__(self) -> int:
        """Passes of this rank in a whole epoch with the current batch."""
        return len(self.dataset) // self._session.global_batch * self._session.batch.passes

    def __iter__(self) -> Iterator[Any]:
        """Yields batches until the epoch ends. A changed batch, or changed ranks, begin at the next sample."""
        session = self._session
        if session.batch.passes > 1 and not session.accumulates:
            raise RuntimeError(
                f"a step has {session.batch.passes} passes, but spur.restore(model, optimizer) was not called: "
                "call it before the first epoch, so that gradients accumulate"
            )
        if not session.in_epochs and session.offset + session.global_batch > len(self.dataset):
            session.begin_epoch(session.epoch + 1)
        session.reporter.should_stop()  # a stop before the first step is known from here on
        order = self._order(session.epoch)
        while session.offset + session.global_batch <= len(self.dataset):
            layout, batch = session.layout, session.batch
            indices = _RankIndices(
                order, session.offset, batch.per_device, batch.passes, session.rank, session.world_size
            )
            loader = torch.utils.data.DataLoader(self.dataset, batch_sampler=indices, **self._options)
            for number, data in enumerate(loader):
                expected = session.offset
                session.is_last_pass = (number + 1) % batch.passes == 0
                yield data
                if session.is_last_pass and session.offset == expected:
                    raise RuntimeError(
                        "spur.step(loss) was not called after the last batch: call it after optimizer.step()"
                    )
                if session.is_last_pass and session.layout != layout:
                    break

    def _order(self, epoch: int) -> Sequence[int]:
        if not self._shuffle:
            return range(len(self.dataset))
        generator = torch.Generator()
        generator.manual_seed(self._seed * 1_000_003 + epoch)
        order: list[int] = torch.randperm(len(self.dataset), generator=generator).tolist()
        return order


class _RankIndices:
    """Indices of one rank, pass by pass, from the sample at `begin` of the order to the last complete global batch."""

    def __init__(
        self, order: Sequence[int], begin: int, per_device: int, passes: int, rank: int, world_size: int
    ) -> None:
        self._order = order
        self._per_device = per_device
        steps = (len(order) - begin) // (world_size * per_device * passes)
        first = begin + rank * per_device
        self._begins = [first + number * world_size * per_device for number in range(steps * passes)]

    def __len__(self) -> int:
        return len(self._begins)

    def __iter__(self) -> Iterator[list[int]]:
        for begin in self._begins:
            yield list(self._order[begin : begin + self._per_device])

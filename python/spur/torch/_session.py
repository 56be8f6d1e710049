"""State of the training in this process: ranks, batch, position in the data, and the agreement between ranks."""

from __future__ import annotations

import atexit
import contextlib
import datetime
import os
import sys
import time
from dataclasses import replace
from typing import Any, Callable, NamedTuple, Optional

import torch
import torch.distributed as dist

# PyTorch 2 imports this module later. Its functions have the group of that moment as a default, and would keep it.
import torch.distributed.nn.functional

from spur import _log
from spur.assignment import Assignment, Batch, current, require_workers
from spur.reporter import Reporter
from spur.torch._directive import Directive, DirectiveFile
from spur.torch._noise import NoiseScale

_session: Optional[Session] = None
_group_options: tuple[str, dict[str, Any]] = ("gloo", {})


class Norms(NamedTuple):
    """Squared norms of the mean gradients over a smaller and a larger batch, whose sizes are in samples."""

    small_batch: float
    small: torch.Tensor
    large_batch: float
    large: torch.Tensor


def init_process_group(backend: Optional[str] = None, timeout: Optional[datetime.timedelta] = None) -> None:
    """Initializes `torch.distributed` by the assignment, by torchrun, or as the only process.

    The default backend is nccl where a GPU is available, otherwise gloo. Raises RankMismatch if the process group has
    another number of ranks than the plan.
    """
    global _session, _group_options
    assigned = current()
    on_gpu = torch.cuda.is_available()
    if on_gpu:
        # With one process per device the agent shows each process its device alone, as device 0.
        torch.cuda.set_device(assigned.local_rank % torch.cuda.device_count())
        _limit_memory()
    backend = backend or ("nccl" if on_gpu else "gloo")
    options: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
    _group_options = backend, options
    joins = bool(os.environ.get("SPUR_RESCALE") or os.environ.get("SPUR_WARM_UP"))
    if not dist.is_initialized():
        require_workers()
        if os.environ.get("MASTER_ADDR") and os.environ.get("WORLD_SIZE") and not joins:
            dist.init_process_group(backend, **options)
        else:
            store = dist.HashStore()  # type: ignore[attr-defined,unused-ignore]
            dist.init_process_group(backend, store=store, rank=0, world_size=1, **options)
    if not joins:
        assigned.require_ranks(dist.get_world_size(), "set MASTER_ADDR, and let Spur initialize torch.distributed")
    device = torch.device("cuda", torch.cuda.current_device()) if on_gpu else torch.device("cpu")
    _session = Session(assigned, device, joins)
    atexit.register(_release_at_exit, _session)


def _limit_memory() -> None:
    """Limits the memory of this process to its share of the GPU, where MPS does not do so."""
    fraction = float(os.environ.get("SPUR_GPU_FRACTION", "1"))
    if fraction < 1 and "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT" not in os.environ:
        torch.cuda.set_per_process_memory_fraction(fraction)


def _release_at_exit(session: Session) -> None:
    if not hasattr(sys, "last_type") and dist.is_initialized() and dist.get_backend() == "gloo":
        release(session)


def release(session: Session) -> None:
    """Ends the process group with its threads. A process that exits while those of gloo run may abort."""
    for model in session.models:
        model.release()
    dist.destroy_process_group()


def group_options() -> tuple[str, dict[str, Any]]:
    """Backend and options of every process group of this training."""
    return _group_options


def session() -> Session:
    if _session is None:
        raise RuntimeError("spur.init_process_group() was not called: it comes before every other call")
    return _session


def assignment() -> Assignment:
    """The assignment of this process."""
    return session().assignment


def batch() -> Batch:
    """The batch of each rank now."""
    return session().batch


def device() -> torch.device:
    """The device of this process."""
    return session().device


def samples() -> int:
    """Samples that the job has processed, over all restarts."""
    return session().samples


def noise_scale() -> Optional[float]:
    """The gradient noise scale in samples; None while it is unknown, as in the first 100 measured steps of a job."""
    return session().noise.value


class Session:
    """State of a training. Every rank changes it after the same step, so it is equal on all ranks."""

    def __init__(self, assigned: Assignment, device: torch.device, joins: bool) -> None:
        self.assignment = assigned
        self.device = device
        self.joins = joins
        """Whether this rank has started before its process group: it waits for the running ranks in spur.restore."""
        self.rescaled = 0
        self.parts: dict[str, Any] = {}
        self.models: list[Any] = []
        self.save: Callable[[], object] = lambda: None
        self.rendezvous: Any = None
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()
        self.batch = assigned.batch or Batch(1)
        self.base_batch = self.global_batch
        self.max_batch: Optional[int] = None
        self.accumulates = False
        self.in_epochs = False
        self.epoch = 0
        self.offset = 0
        self.samples = 0
        self.is_last_pass = True
        self.noise = NoiseScale()
        self.take_norms: Callable[[], Optional[Norms]] = lambda: None
        self.at_end: list[Callable[[], None]] = []
        self._losses: list[torch.Tensor] = []
        self._reporter: Optional[Reporter] = None
        self._directives = DirectiveFile(assigned.control_dir)
        self._pending: Optional[_Exchange] = None
        self._change: Optional[Any] = None
        self._changes_ranks = False
        self._reconfigured = False
        self._loss: Optional[float] = None
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._zero = torch.zeros((), dtype=torch.float64, device=device)

    @property
    def global_batch(self) -> int:
        return self.batch.total(self.world_size)

    @property
    def reporter(self) -> Reporter:
        """The reporter; it counts from the samples of the restored checkpoint."""
        if self._reporter is None:
            rank = self.assignment.rank if self.joins else self.rank
            self._reporter = Reporter({**os.environ, "RANK": str(rank)}, self.samples)
            self._reporter.layout(self.world_size, self.global_batch)
        return self._reporter

    def set_script_batch(self, batch_size: int, max_per_device: Optional[int], max_batch: int) -> None:
        """Sets the batch that the learning rate was chosen for; steps have it unless the plan states another."""
        self.max_batch = max_batch
        self.base_batch = batch_size
        if self.assignment.batch is None:
            self.batch = self.assignment.split(batch_size, self.world_size, max_per_device)

    def require_joined(self) -> None:
        if self.joins:
            raise RuntimeError(
                "spur.restore(model, optimizer) was not called: ranks that start while others train wait there"
            )

    @property
    def layout(self) -> tuple[int, int, Batch]:
        """Everything that determines which samples this rank processes next."""
        return self.rank, self.world_size, self.batch

    def set_ranks(self, rank: int, world_size: int, batch: Batch, number: int) -> None:
        """Sets the ranks after their change, whose number is `number`."""
        self.rank, self.world_size, self.batch = rank, world_size, batch
        self.rescaled, self.joins = number, False
        self.assignment = replace(self.assignment, rank=rank, world_size=world_size, batch=batch)
        self._change = None
        self._changes_ranks = False

    def migrated(self, stopped_at: Optional[float]) -> None:
        """Begins to count from the loaded checkpoint. `stopped_at` is the time of the last step; None if unknown."""
        self.reporter.restart(self.samples)
        self.reporter.layout(self.world_size, self.global_batch)
        if stopped_at is not None:
            seconds = max(0.0, time.time() - stopped_at)
            self.reporter.changed("MIGRATE", self.world_size, self.global_batch, seconds_ago=seconds)

    def begin_epoch(self, epoch: int) -> None:
        self.epoch, self.offset = epoch, 0

    def state_dict(self) -> dict[str, Any]:
        return {"epoch": self.epoch, "offset": self.offset, "samples": self.samples, "noise": self.noise.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.epoch, self.offset, self.samples = state["epoch"], state["offset"], state["samples"]
        self.noise.load_state_dict(state["noise"])

    def end_pass(self, loss: Optional[torch.Tensor]) -> bool:
        """Ends a pass; after the last one of a step counts the step. Returns whether to stop, equal on all ranks."""
        if loss is not None:
            self._losses.append(loss.detach())
        self.require_joined()
        if not self.is_last_pass:
            return False
        reporter = self.reporter
        global_batch = self.global_batch
        self.offset += global_batch
        self.samples += global_batch
        exchange = self._begin_exchange()
        stops = self._end_exchange()
        self._pending = exchange
        reporter.step(samples=global_batch, loss=self._loss, noise_scale=self.noise.value)
        if self._reconfigured:
            self._reconfigured = False
            reporter.changed("RECONFIGURE", self.world_size, self.global_batch)
        if self._changes_ranks and not stops:
            stops = self._end_exchange()
            if not stops:
                from spur.torch import _rescale

                _rescale.carry_out(self, self._change)
                reporter.changed("RESCALE", self.world_size, self.global_batch, self.rescaled)
        return stops

    def finish(self) -> bool:
        """Waits for the last exchange and writes the last report. Returns whether to stop."""
        stops = self._end_exchange()
        if self._loss is not None:
            self.reporter.observe(self._loss, self.noise.value)
        for end in self.at_end:
            end()
        self.at_end = []
        self.reporter.flush()
        return stops

    def _begin_exchange(self) -> _Exchange:
        """Sums what the ranks know of this step. It is read after the next one, so that no device waits for it."""
        directive = self._directives.read(self.world_size, self.rescaled) if self.rank == 0 else None
        if directive is not None and directive.rescale is not None:
            self._begin_change(directive)
            directive = None
        loss = torch.stack(self._losses).double().mean() if self._losses else self._zero
        norms = self.take_norms()
        known = [
            self._number(self.reporter.should_stop()),
            loss.to(self.device) / self.world_size,
            self._zero if norms is None else norms.small.double() / self.world_size,
            self._zero if norms is None else norms.large.double() / self.world_size,
            self._number(directive.batch.per_device if directive else 0),
            self._number(directive.batch.passes if directive else 0),
            self._number(self._change is not None and self._change.rendezvous.is_ready()),
        ]
        values = torch.stack(known)
        sizes = None if norms is None else (norms.small_batch, norms.large_batch)
        work = dist.all_reduce(values, async_op=True) if self.world_size > 1 else None
        exchange = _Exchange(values, work, self._stream, bool(self._losses), sizes)
        self._losses = []
        return exchange

    def _number(self, value: float) -> torch.Tensor:
        """A number on the device. Almost all are 0, and need no kernel."""
        return self._zero + float(value) if value else self._zero

    def _end_exchange(self) -> bool:
        """Applies the result of the pending exchange, and returns whether a rank requested the stop."""
        pending, self._pending = self._pending, None
        if pending is None:
            return False
        stops, loss, small, large, per_device, passes, changes_ranks = pending.result()
        self._changes_ranks = self._changes_ranks or changes_ranks > 0
        if pending.has_loss:
            self._loss = loss
        if pending.sizes is not None:
            self.noise.observe(pending.sizes[0], small, pending.sizes[1], large)
        if per_device > 0:
            self._reconfigure(Batch(round(per_device), round(passes)))
        return stops > 0

    def _begin_change(self, directive: Directive) -> None:
        from spur.torch import _rescale

        known = self._change
        # The agent may write the directive again, for example after its restart.
        if known is None or known.rendezvous.change != directive.rescale:
            self._change = _rescale.Change.begin(self, directive)

    def _reconfigure(self, batch: Batch) -> None:
        if batch.passes > 1 and not self.accumulates:
            _log.once("A directive with several passes is ignored: spur.restore(model, optimizer) was not called.")
        elif self.max_batch is not None and batch.total(self.world_size) > self.max_batch:
            _log.once(
                f"A directive with {batch.total(self.world_size)} samples is ignored: the dataset has {self.max_batch}."
            )
        else:
            self._reconfigured = batch != self.batch
            self.batch = batch


class _Exchange:
    """A sum over the ranks that is under way."""

    def __init__(
        self,
        values: torch.Tensor,
        work: Any,
        stream: Any,
        has_loss: bool,
        sizes: Optional[tuple[float, float]],
    ) -> None:
        self._values = values
        self._work = work
        self._stream = stream
        self._ready = None if stream is None else torch.cuda.current_stream(values.device).record_event()
        self.has_loss = has_loss
        self.sizes = sizes

    def result(self) -> list[float]:
        """Waits for the sum. On a GPU it uses a stream of its own, because that of the training has the next step."""
        with torch.cuda.stream(self._stream) if self._stream is not None else contextlib.nullcontext():
            if self._stream is not None:
                self._stream.wait_event(self._ready)
            if self._work is not None:
                self._work.wait()
            numbers: list[float] = self._values.tolist()
        return numbers

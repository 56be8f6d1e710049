"""The training loop: epochs, steps, checkpoints and stops."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any, Callable, Optional

import torch
import torch.distributed as dist

from spur.torch import _rates, _rescale, _session, _warm_up
from spur.torch._checkpoint import CheckpointError, Checkpoints, Found, load

_keeper: Optional[_Keeper] = None


def restore(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: Any = None,
    *,
    learning_rate_rule: str = _rates.NONE,
    save_every_seconds: float = 600,
    directory: Optional[str] = None,
    warm_up: Optional[Callable[[], None]] = None,
    **others: Any,
) -> bool:
    """Loads the newest checkpoint, and registers the objects that the next ones hold. Returns whether there was one.

    `others` are further objects with `state_dict` and `load_state_dict`. `directory` holds checkpoints outside Spur;
    under Spur the job states the folder. A rank that joins a running training waits here, and receives the state of
    rank 0. Ranks that start while the previous ones still train wait here for their checkpoint. These call `warm_up`
    before they wait: a forward and a backward pass of `model.module` loads the kernels of a GPU, and its gradients are
    discarded. `learning_rate_rule` adapts the rate when the plan has another batch than the script.
    """
    global _keeper
    session = _session.session()
    migrates = _warm_up.is_requested()
    if warm_up is not None and (migrates or session.joins):
        warm_up()
        optimizer.zero_grad(set_to_none=True)
    if migrates:
        _warm_up.await_start(session)
    parts = {"model": getattr(model, "module", model), "optimizer": optimizer, "scheduler": scheduler, **others}
    parts = {name: part for name, part in parts.items() if part is not None}
    _keeper = _Keeper(session, Checkpoints(session.assignment, directory), parts, save_every_seconds)
    session.accumulates = True
    session.parts, session.save = parts, _keeper.save
    if session.joins:
        _rescale.join(session)
        restored = True
    else:
        restored = _keeper.load()
    if migrates:
        session.migrated(_keeper.stopped_at)
    _rates.accumulate(optimizer, scheduler, session, learning_rate_rule)
    return restored


def epochs(count: int) -> Iterator[int]:
    """Yields the epochs from the current position to `count`; at the end, saves a checkpoint and the last report.

    Under Spur, raises CheckpointError if that checkpoint cannot be saved: the job is then not done, and starts again.
    """
    session = _session.session()
    session.require_joined()
    session.in_epochs = True
    while session.epoch < count:
        yield session.epoch
        session.begin_epoch(session.epoch + 1)
    session.in_epochs = False
    session.finish()
    if _keeper is not None:
        _keeper.save_last()


def step(loss: Optional[torch.Tensor] = None) -> None:
    """Ends a pass after `optimizer.step()`: reports progress, saves when it is due, and applies changes of the plan.

    When the plan stops the job, all ranks end after the same step with a checkpoint and exit code 0. If a job with a
    folder cannot save that checkpoint, rank 0 ends with exit code 1.
    """
    session = _session.session()
    if not session.end_pass(loss):
        if session.is_last_pass and _keeper is not None:
            _keeper.save_if_due()
        return
    session.finish()
    saved = _keeper is None or _keeper.save_at_stop()
    _session.release(session)
    sys.exit(0 if saved else 1)


def save() -> None:
    """Saves a checkpoint on rank 0. Call it on every rank, between two steps."""
    if _keeper is not None:
        _keeper.save()


def is_last_pass() -> bool:
    """Whether this is the last pass of a step, in which gradients are complete, as clipping requires."""
    return _session.session().is_last_pass


class _Keeper:
    """Saves and loads the registered objects together with the position in the data."""

    def __init__(self, session: _session.Session, store: Checkpoints, parts: dict[str, Any], every: float) -> None:
        self._session = session
        self._store = store
        self._parts = parts
        self._every = every
        self._saved_at = time.monotonic()
        self.stopped_at: Optional[float] = None
        """Time at which the previous ranks stopped with the loaded checkpoint; None if they saved it before."""

    def load(self) -> bool:
        """Loads on all ranks the checkpoint that rank 0 finds."""
        shared: list[Any] = [None, None]
        found: Optional[Found] = None
        if self._session.rank == 0:
            try:
                self._store.open()
                found = self._store.find()
                shared[0] = found.path if found else None
            except CheckpointError as error:
                shared[1] = str(error)
        dist.broadcast_object_list(shared, src=0)
        if shared[1] is not None:
            raise CheckpointError(shared[1])
        if shared[0] is None:
            return False
        try:
            state = found.state if found else load(shared[0])
        except OSError as error:
            raise CheckpointError(
                f"rank {self._session.rank} cannot read {shared[0]}: {error}. "
                "All nodes need the folder of the checkpoints."
            ) from error
        for name, part in self._parts.items():
            if name in state["parts"]:
                part.load_state_dict(state["parts"][name])
        self._session.load_state_dict(state["session"])
        self.stopped_at = state.get("stopped_at")
        return True

    def save_if_due(self) -> None:
        if self._session.rank == 0 and time.monotonic() - self._saved_at >= self._every:
            self.save()

    def save_last(self) -> None:
        """Saves at the end of the training."""
        if not self.save() and self._requires_save:
            raise CheckpointError("the last checkpoint was not saved, so the training is not complete")

    def save_at_stop(self) -> bool:
        """Saves before all ranks end. Returns false if a checkpoint that the job requires was not saved."""
        return self.save(stops=True) or not self._requires_save

    @property
    def _requires_save(self) -> bool:
        return self._session.rank == 0 and self._store.are_required

    def save(self, stops: bool = False) -> bool:
        """Saves on rank 0, and returns whether it did."""
        if self._session.rank != 0:
            return False
        self._saved_at = time.monotonic()
        stopped_at = time.time() if stops else None
        parts = {name: part.state_dict() for name, part in self._parts.items()}
        saved = self._store.save({"parts": parts, "session": self._session.state_dict(), "stopped_at": stopped_at})
        if saved:
            self._session.reporter.saved()
        return saved

"""Change of the ranks of a running training. Ranks join and leave; the others keep process, device and loader.

1. Rank 0 reads the directive, and opens the rendezvous. Ranks that join build their model meanwhile, in a process group
   of their own, and report there that they are ready.
2. Rank 0 announces the change in the sum of a step, so all ranks leave the old process group after the same step.
3. Ranks that leave end with exit code 0. The others form the new group, and rank 0 sends its state to those that join.

A rank that fails or is late ends the change with an error on all ranks: the agent then stops them, and the job restarts
from its checkpoint.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import socket
import sys
import time
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Callable, Optional

import torch
import torch.distributed as dist

from spur import _log
from spur.assignment import Batch
from spur.torch import _session
from spur.torch._directive import Directive, Rescale

GATHER_SECONDS = 60.0
"""Time in which all ranks of the new group must have left the old one."""

WARM_UP_SECONDS = 3600.0
"""Time after which a rank that joins no longer waits for the others. The service ends the change earlier."""

POLL_SECONDS = 0.02


class Rendezvous:
    """Store of the new ranks, hosted by rank 0."""

    def __init__(self, change: Rescale, hosts: bool) -> None:
        self.change = change
        self._store = dist.TCPStore(  # type: ignore[call-arg,unused-ignore]
            change.address,
            change.port,
            None,
            hosts,
            timeout=timedelta(seconds=GATHER_SECONDS),
            wait_for_workers=False,
        )

    def count(self, key: str, more: int = 0) -> int:
        """Adds to a counter, and returns its value."""
        return int(self._store.add(key, more))

    @staticmethod
    def connect(change: Rescale, seconds: float, should_stop: Callable[[], bool]) -> Rendezvous:
        """Connects to rank 0, once it hosts the rendezvous. Ends the process on a stop."""
        end = time.monotonic() + seconds
        while True:
            try:
                socket.create_connection((change.address, change.port), timeout=1).close()
                return Rendezvous(change, hosts=False)
            except OSError:
                if should_stop():
                    sys.exit(0)
                if time.monotonic() > end:
                    raise
                time.sleep(POLL_SECONDS)

    @property
    def joiners(self) -> int:
        return sum(rank is None for rank in self.change.ranks)

    def is_ready(self) -> bool:
        """Whether all ranks that join have built their model."""
        return self.count("ready") >= self.joiners

    def publish(self, batch: Batch) -> None:
        self._store.set("batch", json.dumps(asdict(batch)))
        self.count("begun", 1)

    def batch(self) -> Batch:
        return Batch(**json.loads(self._store.get("batch")))

    def wait(self, key: str, at_least: int, seconds: float, should_stop: Callable[[], bool]) -> None:
        """Waits until a counter has a value. Ends the process on a stop; raises TimeoutError after `seconds`."""
        end = time.monotonic() + seconds
        while self.count(key) < at_least:
            if should_stop():
                sys.exit(0)
            if time.monotonic() > end:
                raise TimeoutError(
                    f"spur: {self.count(key)} of {at_least} ranks are {key} after {seconds:.0f} s: "
                    "the training ends, and restarts from its checkpoint"
                )
            time.sleep(POLL_SECONDS)

    def init_process_group(self, rank: int, should_stop: Callable[[], bool]) -> None:
        """Forms the new process group of the ranks that stay and those that join."""
        size = len(self.change.ranks)
        self.count("gathered", 1)
        self.wait("gathered", size, GATHER_SECONDS, should_stop)
        backend, options = _session.group_options()
        store = dist.PrefixStore(f"rescale-{self.change.number}", self._store)
        dist.init_process_group(backend, store=store, rank=rank, world_size=size, **options)


class Change:
    """A change of the ranks on rank 0 until it is announced."""

    def __init__(self, directive: Directive) -> None:
        assert directive.rescale is not None
        self.batch = directive.batch
        self.rendezvous = Rendezvous(directive.rescale, hosts=True)

    @staticmethod
    def begin(session: _session.Session, directive: Directive) -> Optional[Change]:
        """Opens the rendezvous; None if the training cannot change its ranks, which is logged."""
        cause = _obstacle(session, directive)
        if cause is None:
            try:
                return Change(directive)
            except Exception as error:  # a port in use, or an address of another node
                cause = f"{type(error).__name__}: {error}"
        _log.once(f"New ranks are ignored: {cause}. The training continues with its ranks.")
        return None


def _obstacle(session: _session.Session, directive: Directive) -> Optional[str]:
    if not session.parts:
        return "spur.restore(model, optimizer) was not called"
    if not session.models:
        return "the model is not a spur.DistributedDataParallel"
    if any(model.sums_on_aggregators for model in session.models):
        return "aggregators sum the gradients"
    ranks = len(directive.rescale.ranks) if directive.rescale else session.world_size
    if session.max_batch is not None and directive.batch.total(ranks) > session.max_batch:
        return f"a step of {directive.batch.total(ranks)} samples exceeds the dataset of {session.max_batch}"
    return None


def carry_out(session: _session.Session, own: Optional[Change]) -> None:
    """Moves this rank into the new process group, or ends it. All ranks call it after the same step.

    `own` is the change on rank 0, None on the others.
    """
    shared: list[Any] = [None]
    if own is not None:
        own.rendezvous.publish(own.batch)
        change = own.rendezvous.change
        shared = [(change.number, change.ranks, change.address, change.port)]
    dist.broadcast_object_list(shared, src=0, device=session.device)
    change = Rescale(*shared[0])
    dist.barrier()
    if session.rank not in change.ranks:
        _session.release(session)
        sys.exit(0)
    dist.destroy_process_group()
    rendezvous = (
        own.rendezvous if own is not None else Rendezvous.connect(change, GATHER_SECONDS, session.reporter.should_stop)
    )
    try:
        enter(session, rendezvous, change.ranks.index(session.rank))
    except BaseException:
        # Rank 0 has the whole state, so a change that fails loses no step.
        session.save()
        raise


def join(session: _session.Session) -> None:
    """Waits until the running ranks change over, joins them, and receives the state of rank 0."""
    change = Rescale(
        int(os.environ["SPUR_RESCALE"]),
        tuple(json.loads(os.environ["SPUR_RESCALE_RANKS"])),
        os.environ["MASTER_ADDR"],
        int(os.environ["MASTER_PORT"]),
    )
    try:
        rendezvous = Rendezvous.connect(change, WARM_UP_SECONDS, session.reporter.should_stop)
        rendezvous.count("ready", 1)
        rendezvous.wait("begun", 1, WARM_UP_SECONDS, session.reporter.should_stop)
    except RuntimeError:
        # Rank 0 has ended. Its exit code states whether the training was complete.
        sys.exit(0)
    dist.destroy_process_group()
    enter(session, rendezvous, session.assignment.rank)


def enter(session: _session.Session, rendezvous: Rendezvous, rank: int) -> None:
    """Forms the new group, and brings this rank up to the state of rank 0."""
    change = rendezvous.change
    joins = session.joins
    rendezvous.init_process_group(rank, session.reporter.should_stop)
    session.set_ranks(rank, len(change.ranks), rendezvous.batch(), change.number)
    for model in session.models:
        model.rebuild()
    if rendezvous.joiners:
        state = {name: part.state_dict() for name, part in session.parts.items() if name != "model"}
        received = broadcast({"parts": state, "session": session.state_dict()} if rank == 0 else None, session.device)
        if joins:
            for name, part in session.parts.items():
                if name in received["parts"]:
                    part.load_state_dict(received["parts"][name])
            session.load_state_dict(received["session"])
    dist.barrier()
    # The store serves the group as long as it exists.
    session.rendezvous = rendezvous


def broadcast(state: Optional[dict[str, Any]], device: torch.device) -> dict[str, Any]:
    """Returns the state of rank 0 on every rank. Tensors are sent as such, everything else is pickled."""
    tensors: list[torch.Tensor] = []
    shared: list[Any] = [None, None]
    if state is not None:
        buffer = io.BytesIO()
        _Pickler(buffer, tensors).dump(state)
        shared = [buffer.getvalue(), [(tensor.shape, tensor.dtype, tensor.device.type) for tensor in tensors]]
    dist.broadcast_object_list(shared, src=0, device=device)
    received = []
    for number, (shape, dtype, kind) in enumerate(shared[1]):
        if state is not None:
            dist.broadcast(tensors[number].to(device).contiguous(), src=0)
        else:
            content = torch.empty(shape, dtype=dtype, device=device)
            dist.broadcast(content, src=0)
            received.append(content if kind == device.type else content.cpu())
    if state is not None:
        return state
    result: dict[str, Any] = _Unpickler(io.BytesIO(shared[0]), received).load()
    return result


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, tensors: list[torch.Tensor]) -> None:
        super().__init__(buffer)
        self._tensors = tensors

    def persistent_id(self, value: Any) -> Optional[int]:
        if not isinstance(value, torch.Tensor):
            return None
        self._tensors.append(value.detach())
        return len(self._tensors) - 1


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, tensors: list[torch.Tensor]) -> None:
        super().__init__(buffer)
        self._tensors = tensors

    def persistent_load(self, number: Any) -> torch.Tensor:
        return self._tensors[number]

"""Data-parallel model whose gradients yield the noise scale, summed by the ranks or by the aggregators of the plan."""

import array
import concurrent.futures
import gc
from typing import Any, NamedTuple, Optional

import torch
import torch.distributed as dist

from spur import _log
from spur.aggregation import Aggregation, connect
from spur.torch import _session

CONNECT_SECONDS = 60
"""Maximum time to wait for the service to name the aggregators; then the ranks reduce the gradients themselves."""


class DistributedDataParallel(torch.nn.parallel.DistributedDataParallel):  # type: ignore[misc, unused-ignore]
    """`torch.nn.parallel.DistributedDataParallel` on the device of this process.

    Measures the gradient noise scale unless `noise_scale` is False; with one rank this needs a copy of the gradients.
    """

    training: bool

    def __init__(self, module: torch.nn.Module, *, noise_scale: bool = True, **options: Any) -> None:
        session = _session.session()
        if session.device.type == "cuda":
            options.setdefault("device_ids", [session.device.index])
        super().__init__(module.to(session.device), **options)
        self._spur_session = session
        self._spur_options = noise_scale, options
        aggregation = None if session.joins else _agreed_aggregation(session)
        self.sums_on_aggregators = aggregation is not None
        if aggregation is not None:
            session.at_end.append(aggregation.close)
        session.models.append(self)
        self._register(aggregation)

    def rebuild(self) -> None:
        """Binds the model to the current process group, and sends the parameters of rank 0 to all ranks."""
        module, training = self.module, self.training
        self.release()
        super().__init__(module, **self._spur_options[1])
        self.training = training
        self._register(None)

    def release(self) -> None:
        """Releases the process group. Its reducer removes its hooks from the parameters when it is destroyed."""
        for name in ("reducer", "logger", "process_group"):
            self.__dict__.pop(name, None)
        gc.collect()

    def _register(self, aggregation: Optional[Aggregation]) -> None:
        gradients = Gradients(self._spur_session, self._spur_options[0], aggregation)
        self._spur_session.take_norms = gradients.take_norms
        self.register_comm_hook(gradients, _hook)

    def forward(self, *inputs: Any, **options: Any) -> Any:
        """Runs the model. Gradients are reduced in the last pass of a step only."""
        if self._spur_session.is_last_pass:
            return super().forward(*inputs, **options)
        with self.no_sync():
            return super().forward(*inputs, **options)


def _agreed_aggregation(session: _session.Session) -> Optional[Aggregation]:
    """Returns the aggregation if every rank has one; otherwise all ranks reduce the gradients themselves."""
    found = None
    try:
        found = connect(CONNECT_SECONDS)
    except Exception as error:  # any cause leads to the reduction among ranks
        _log.once(f"Aggregators are not used: {type(error).__name__}: {error}. The ranks reduce the gradients.")
    connected = torch.tensor([float(found is not None)], device=session.device)
    dist.all_reduce(connected)
    if found is not None and connected.item() < session.world_size:
        _log.once("Aggregators are not used: another rank has no connection. The ranks reduce the gradients.")
        return None
    return found


class _Bucket(NamedTuple):
    """Gradients of a bucket of the previous step, and their squared norm."""

    gradients: torch.Tensor
    square: torch.Tensor


class Gradients:
    """Mean gradients of a step, bucket by bucket, and their squared norms."""

    def __init__(self, session: _session.Session, measures: bool, aggregation: Optional[Aggregation]) -> None:
        self._session = session
        self._measures = measures
        self._aggregation = aggregation
        # An aggregation is for one thread. Its sums overlap with the rest of the backward pass.
        self._thread = concurrent.futures.ThreadPoolExecutor(1) if aggregation else None
        self._small: list[torch.Tensor] = []
        self._large: list[torch.Tensor] = []
        self._previous: dict[int, _Bucket] = {}
        self._previous_batch = 0
        self._previous_step = 0
        self._steps = 0

    def reduce(self, index: int, buffer: torch.Tensor) -> Any:
        """Starts the mean of a bucket over passes and ranks, and returns its future."""
        passes, ranks = self._session.batch.passes, self._session.world_size
        if passes > 1:
            buffer.div_(passes)
        if self._measures and ranks == 1:
            self._difference(index, buffer)
        elif self._is_measured():
            self._small.append(_square(buffer))
        if ranks > 1:
            buffer.div_(ranks)
        if self._thread is not None:
            future = self._sum_on_aggregators(buffer)
        elif ranks > 1:
            future = dist.all_reduce(buffer, async_op=True).get_future()
        else:
            future = _future(buffer)
            future.set_result(buffer)
            return future
        return future.then(self._reduced)

    def _is_measured(self, later: int = 0) -> bool:
        return self._measures and self._session.noise.is_due(self._steps + later)

    def take_norms(self) -> Optional[_session.Norms]:
        """Returns the squared norms of this step with the sizes of their batches; None without a measurement."""
        batch = self._session.global_batch
        small, large = self._small, self._large
        self._small, self._large = [], []
        if self._is_measured(later=1):
            self._previous_step = self._steps
        self._steps += 1
        self._previous_batch = batch
        if not small or len(small) != len(large):
            return None
        smaller, larger = (
            (batch, 2 * batch) if self._session.world_size == 1 else (batch // self._session.world_size, batch)
        )
        return _session.Norms(smaller, torch.stack(small).sum(), larger, torch.stack(large).sum())

    def _reduced(self, future: Any) -> torch.Tensor:
        value = future.value()
        total: torch.Tensor = value[0] if isinstance(value, (list, tuple)) else value
        if self._is_measured() and self._session.world_size > 1:
            self._large.append(_square(total))
        return total

    def _difference(self, index: int, gradient: torch.Tensor) -> None:
        """Measures with one rank: two consecutive gradients are of two batches, and their mean is of both."""
        previous = self._previous.get(index)
        if previous is not None and previous.gradients.shape != gradient.shape:
            previous = None
        # The buckets of the first step are in another order.
        keeps = self._steps > 0 and self._is_measured(later=1)
        compares = self._is_measured() and self._previous_step == self._steps - 1
        compares = compares and previous is not None and self._previous_batch == self._session.global_batch
        square = _square(gradient) if keeps or compares else None
        if previous is not None and square is not None and compares:
            squares = square + previous.square
            self._small.append(squares / 2)
            self._large.append((squares + 2 * torch.dot(gradient.float(), previous.gradients.float())) / 4)
        if square is not None and keeps:
            copy = gradient.clone() if previous is None else previous.gradients.copy_(gradient)
            self._previous[index] = _Bucket(copy, square)

    def _sum_on_aggregators(self, buffer: torch.Tensor) -> Any:
        assert self._thread is not None
        future = _future(buffer)
        ready = torch.cuda.Event() if buffer.is_cuda else None
        if ready is not None:
            ready.record()

        def run() -> None:
            try:
                if ready is not None:
                    ready.synchronize()
                future.set_result(self._sum(buffer))
            except Exception as error:  # raised by the backward pass
                future.set_exception(error)

        self._thread.submit(run)
        return future

    def _sum(self, buffer: torch.Tensor) -> torch.Tensor:
        assert self._aggregation is not None
        code, width = ("d", torch.float64) if buffer.dtype == torch.float64 else ("f", torch.float32)
        own = array.array(code, bytes(buffer.numel() * (8 if code == "d" else 4)))
        torch.frombuffer(own, dtype=width).copy_(buffer)
        total: torch.Tensor = torch.frombuffer(self._aggregation.sum(own, code), dtype=width)
        buffer.copy_(total)
        return buffer


def _future(buffer: torch.Tensor) -> Any:
    return torch.futures.Future(devices=[buffer.device] if buffer.is_cuda else None)


def _square(gradient: torch.Tensor) -> torch.Tensor:
    norm: torch.Tensor = torch.linalg.vector_norm(gradient, dtype=torch.float32)
    square: torch.Tensor = norm.square()
    return square


def _hook(gradients, bucket):  # type: ignore[no-untyped-def]
    # PyTorch compares annotations with its own types, which differ between versions.
    return gradients.reduce(bucket.index(), bucket.buffer())

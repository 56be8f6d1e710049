"""Arguments, data loader and callback for Lightning.

    loader = spur.lightning.data_loader(data, batch_size=32)
    trainer = Trainer(**spur.lightning.arguments(max_epochs=10, callbacks=[spur.lightning.callback()]))
    trainer.fit(model, loader, ckpt_path=spur.lightning.last_checkpoint())

Outside Spur the calls change nothing.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from spur import _callbacks, _log, _workers
from spur._epochs import Epochs
from spur.assignment import Assignment, Batch, current, require_workers
from spur.reporter import connect

__all__ = ["arguments", "batch_size", "callback", "data_loader", "last_checkpoint"]

_FILE = "lightning.ckpt"

_begin = (0, 0)
"""Epoch that the data loader yields next, and the samples of this epoch that earlier generations have trained."""


def arguments(**script: Any) -> dict[str, Any]:
    """Returns the arguments of the script for `Trainer`, with the passes and the ranks of the plan.

    Lightning reads neither RANK nor WORLD_SIZE, so `devices`, `num_nodes` and `strategy` state them, for both values of
    `launch` and for nodes with different numbers of devices. A strategy of the script is kept; the default is DDP.
    Raises RankMismatch if launch is PER_NODE and no launcher such as torchrun has started this process.
    """
    assigned = current()
    if assigned.job is None:
        return script
    require_workers()
    planned: dict[str, Any] = {"devices": 1, "num_nodes": 1}
    if assigned.batch is not None:
        planned["accumulate_grad_batches"] = assigned.batch.passes
    if assigned.world_size > 1:
        planned["strategy"] = _strategy(script.get("strategy", "auto"), script.get("accelerator", "auto"), assigned)
    return {**script, **planned}


def batch_size(default: int) -> int:
    """Returns the samples of a pass on each device, for a data loader of the script."""
    batch = current().batch
    return default if batch is None else batch.per_device


def data_loader(dataset: Any, batch_size: int, *, shuffle: bool = True, seed: int = 0, **options: Any) -> Any:
    """Returns a `torch.utils.data.DataLoader` for training, which continues at the next sample after a restart.

    `batch_size` is the samples of a pass on each device, which the plan replaces. The order of an epoch depends on
    `seed` and the epoch only. An epoch has each sample once, for every sequence of batches, passes and ranks. Its
    steps share the samples evenly where they do not fill them. Only where less than a sample is left for each rank and
    pass, some ranks repeat one. `dataset` has a length; `options` are those of PyTorch.
    """
    from torch.utils.data import DataLoader
    from torch.utils.data.distributed import DistributedSampler

    assigned = current()
    if assigned.job is None:
        return DataLoader(dataset, batch_size=batch_size, shuffle=shuffle, **options)
    batch = assigned.batch or Batch(batch_size)
    epochs = Epochs(len(dataset), assigned.world_size, batch.per_device, batch.passes)
    # It states the order of all ranks. Lightning replaces a sampler of any other class by its own.
    order: Any = DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=shuffle, seed=seed)
    options["worker_init_fn"] = _workers.init(options.get("worker_init_fn"))
    loader: Any = DataLoader(dataset, batch_size=batch.per_device, sampler=order, **options)
    # PyTorch allows no assignment to this attribute. The option batch_sampler would replace the sampler as well.
    object.__setattr__(loader, "batch_sampler", _Batches(order, epochs, assigned.rank))
    return loader


def last_checkpoint() -> Optional[str]:
    """Returns the newest checkpoint for `ckpt_path`; None without one."""
    return _callbacks.newest(current(), _complete)


def callback(save_every_seconds: float = 600) -> Any:
    """Returns a Callback that reports progress, saves, and ends the training when the plan stops the job.

    On a stop all ranks end after the same step with a checkpoint, and `fit` returns. It raises RankMismatch if it has
    another number of ranks than the plan.
    """

    class SpurCallback(_package().Callback):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            self._assigned: Assignment = current()
            self._samples = 0
            self._pending = 0
            self._step = 0
            self._epoch = 0
            self._offset = 0
            self._length: Optional[int] = None
            self._reloads: Optional[int] = None
            self._stopped = False
            self._saved_at = time.monotonic()
            self._reporter = connect()
            self._on_sigterm = signal.getsignal(signal.SIGTERM)

        def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
            remedy = "create it by Trainer(**spur.lightning.arguments(...))"
            self._assigned.require_ranks(trainer.world_size, remedy)

        def on_load_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: dict[str, Any]) -> None:
            global _begin
            state = checkpoint.get("callbacks", {}).get(self.state_key, {})
            if trainer.state.fn != "fit" or not state.get("length"):
                return
            epoch, offset = state["epoch"], state["offset"]
            self._epoch, self._offset = _begin = (epoch + 1, 0) if offset == state["length"] else (epoch, offset)
            _begin_epoch(checkpoint["loops"]["fit_loop"], self._epoch)
            if self._offset:
                # Lightning takes the number of batches of its first epoch for all epochs, unless it loads them again.
                self._reloads = trainer.reload_dataloaders_every_n_epochs
                trainer.reload_dataloaders_every_n_epochs = 1

        def on_sanity_check_start(self, trainer: Any, pl_module: Any) -> None:
            self._take_sigterm()

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            self._take_sigterm()
            _callbacks.fence(self._assigned)
            self._reporter.restart(self._samples)
            self._step = trainer.global_step
            batches = getattr(trainer.train_dataloader, "batch_sampler", None)
            self._length = batches.length if isinstance(batches, _Batches) else None
            if self._assigned.job is not None and self._length is None:
                _log.once(
                    "The data loader is not that of spur.lightning.data_loader(). After a change of batch or ranks "
                    "Lightning repeats or omits samples of the current epoch."
                )

        def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
            if trainer.current_epoch != self._epoch:
                self._epoch, self._offset = trainer.current_epoch, 0
                if self._reloads is not None:
                    trainer.reload_dataloaders_every_n_epochs, self._reloads = self._reloads, None

        def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
            global _begin
            _begin = (trainer.current_epoch + 1, 0)

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self._pending += _count(batch)
            if trainer.global_step == self._step:
                return
            self._step = trainer.global_step
            due = trainer.is_global_zero and time.monotonic() - self._saved_at >= save_every_seconds
            stops, saves, samples = _callbacks.sums(self._reporter.should_stop(), due, self._pending)
            self._pending = 0
            if self._length is not None:
                samples = min(samples, self._length - self._offset)
            self._samples += int(samples)
            self._offset += int(samples)
            self._reporter.step(samples=samples, loss=_loss(outputs))
            if stops or saves:
                self._save(trainer)
            if stops:
                self._stop(trainer)

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            # After a stop Lightning counts the epoch as complete, which a checkpoint must not state.
            if not self._stopped and not self._save(trainer) and self._assigned.write_dir is not None:
                raise RuntimeError("the last checkpoint was not saved, so the training is not complete")

        def state_dict(self) -> dict[str, Any]:
            position = {"epoch": self._epoch, "offset": self._offset, "length": self._length}
            return {"samples": self._samples, **position}

        def load_state_dict(self, state_dict: dict[str, Any]) -> None:
            self._samples = int(state_dict["samples"])

        def _take_sigterm(self) -> None:
            """Replaces the handler of Lightning by the previous one.

            That of Lightning ends the training in the middle of an accumulation, and calls a collective operation,
            which never ends if the ranks receive their signals in different steps.
            """
            in_main = threading.current_thread() is threading.main_thread()
            if self._assigned.report_dir is not None and in_main and callable(self._on_sigterm):
                signal.signal(signal.SIGTERM, self._on_sigterm)

        def _stop(self, trainer: Any) -> None:
            """Ends the training after this step, whatever the minimum of the script is."""
            self._stopped = True
            trainer.should_stop = True
            if not trainer.is_last_batch:
                # Lightning would validate before it stops, which may take longer than the grace period.
                trainer.limit_val_batches = 0
            trainer.fit_loop.min_epochs = 0
            trainer.fit_loop.epoch_loop.min_steps = 0

        def _save(self, trainer: Any) -> bool:
            """Saves on all ranks together, under a temporary name. Returns false on a rank on which that failed."""
            self._saved_at = time.monotonic()
            if self._assigned.write_dir is None:
                return False
            path = os.path.join(self._assigned.write_dir, _FILE)
            try:
                trainer.save_checkpoint(path + ".new")
            except OSError as error:
                _log.once(f"The checkpoint {path} was not saved: {error}. The training continues.")
                # The other ranks wait at the end of save_checkpoint.
                trainer.strategy.barrier()
                return False
            if trainer.is_global_zero:
                try:
                    os.replace(path + ".new", path)
                    self._reporter.saved()
                except OSError as error:
                    _log.once(f"The checkpoint {path} was not saved: {error}. The training continues.")
                    return False
            return True

    return SpurCallback()


def _package() -> Any:
    """The package that the script has imported, `lightning.pytorch` or `pytorch_lightning`."""
    is_old = "lightning" not in sys.modules and "pytorch_lightning" in sys.modules
    return importlib.import_module("pytorch_lightning" if is_old else "lightning.pytorch")


def _strategy(chosen: Any, accelerator: Any, assigned: Assignment) -> Any:
    """Returns the strategy with all ranks of the plan, each on its own device."""
    import torch

    name = _package().__name__
    strategies = importlib.import_module(f"{name}.strategies")
    environments = importlib.import_module(f"{name}.plugins.environments")

    class SpurEnvironment(environments.TorchElasticEnvironment):  # type: ignore[misc,name-defined,unused-ignore]
        """The variables of the agent have the names of those of torchrun, except for the index of the node."""

        def node_rank(self) -> int:
            return int(os.environ.get("NODE_RANK", "0"))

    if isinstance(chosen, str):
        chosen = strategies.StrategyRegistry.get("ddp" if chosen == "auto" else chosen)
    device = torch.device("cpu")
    if accelerator in ("auto", "gpu", "cuda") and torch.cuda.is_available():
        # With one process per device the agent shows each process its device alone, as device 0.
        device = torch.device("cuda", assigned.local_rank % torch.cuda.device_count())
    # Lightning selects the entry of the local rank, and takes the length as the number of ranks of a node. As a list of
    # all ranks on one node, it is right for nodes with different numbers of devices.
    chosen.parallel_devices = [device] * assigned.world_size
    chosen.cluster_environment = SpurEnvironment()
    return chosen


class _Batches:
    """Batch sampler of a rank: the rest of the next epoch, split evenly over the passes and ranks of its steps."""

    def __init__(self, sampler: Any, epochs: Epochs, rank: int) -> None:
        self.length = epochs.length
        self._sampler = sampler
        self._epochs = epochs
        self._rank = rank

    @property
    def _first(self) -> int:
        # Lightning sets the epoch of a sampler after it has taken the number of batches.
        return _begin[1] if self._sampler.epoch <= _begin[0] else 0

    def __len__(self) -> int:
        return self._epochs.passes_of(self.length - self._first)

    def __iter__(self) -> Iterator[list[int]]:
        first = self._first
        self._sampler.set_epoch(max(self._sampler.epoch, _begin[0]))
        order = list(self._sampler)[first:]
        for low, high in self._epochs.parts(len(order), self._rank):
            yield order[low:high]


def _begin_epoch(loop: dict[str, Any], epoch: int) -> None:
    """Sets the state of Lightning's loop to the beginning of `epoch`; the data loader has the position within it."""
    for counts in loop["epoch_progress"].values():
        counts.update(dict.fromkeys(counts, epoch))
    batches = loop["epoch_loop.batch_progress"]
    batches["total"]["completed"] = batches["total"]["ready"]
    batches["current"].update(dict.fromkeys(batches["current"], 0))
    batches["is_last_batch"] = False


def _complete(folder: str) -> Optional[str]:
    path = os.path.join(folder, _FILE)
    return path if os.path.exists(path) else None


def _count(batch: Any) -> int:
    """Samples of a batch: the length of its first tensor."""
    while isinstance(batch, (list, tuple, Mapping)):
        batch = next(iter(batch.values())) if isinstance(batch, Mapping) else batch[0]
    return len(batch)


def _loss(outputs: Any) -> Optional[float]:
    loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
    return None if loss is None else float(loss)

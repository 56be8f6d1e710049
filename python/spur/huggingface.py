"""Arguments and callback for the Trainer of Hugging Face transformers.

    arguments = TrainingArguments(**spur.huggingface.arguments(output_dir="out", per_device_train_batch_size=32))
    trainer = Trainer(model, arguments, train_dataset=data, callbacks=[spur.huggingface.callback()])
    trainer.train(resume_from_checkpoint=spur.huggingface.last_checkpoint())

Outside Spur the three calls change nothing.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

from spur import _callbacks, _log, _workers
from spur._epochs import Epochs
from spur.assignment import Assignment, current, require_workers
from spur.reporter import connect

__all__ = ["arguments", "callback", "last_checkpoint"]

_MARK = "spur.json"
"""File of a checkpoint, written last: it holds the samples, and its presence means that the checkpoint is complete."""

_STATE = "trainer_state.json"
_SCHEDULER = "scheduler.pt"


def arguments(**script: Any) -> dict[str, Any]:
    """Returns the arguments of the script with the batch of the plan and the folder of this generation.

    Without an agent, the batch that a connector passes is split by `per_device_train_batch_size` of the script.
    Raises RankMismatch if launch is PER_NODE and no launcher such as torchrun has started this process.
    """
    assigned = current()
    planned: dict[str, Any] = {}
    if assigned.job is not None:
        require_workers()
    if assigned.batch is not None or assigned.global_batch is not None:
        batch = assigned.split(1, assigned.world_size, script.get("per_device_train_batch_size"))
        planned["per_device_train_batch_size"] = batch.per_device
        planned["gradient_accumulation_steps"] = batch.passes
    if assigned.write_dir is not None:
        _callbacks.fence(assigned)
        planned["output_dir"] = assigned.write_dir
    return {**script, **planned}


def last_checkpoint() -> Optional[str]:
    """Returns the newest complete checkpoint for `resume_from_checkpoint`; None without one.

    transformers takes the number of steps as the position. If the plan has another batch than the checkpoint, the
    result is a temporary folder of links, which states the same samples in steps of this batch.
    """
    assigned = current()
    path = _callbacks.newest(assigned, _newest_complete)
    if path is None or assigned.batch is None:
        return path
    mark = _mark(path)
    if mark.length is None:
        return path
    epochs = Epochs(mark.length, assigned.planned_ranks, assigned.batch.per_device, assigned.batch.passes)
    return _restated(path, epochs.step_of(mark.samples))


def callback() -> Any:
    """Returns a TrainerCallback that reports progress, and saves and ends the training on a stop of the job.

    An epoch has each sample once, for every sequence of batches, passes and ranks; the samples of its last steps are
    fewer where they do not fill them. This requires `num_train_epochs`, a data set with a length, and the
    other two functions of this module. With `max_steps`, `ignore_data_skip` or `dataloader_drop_last` the position
    follows the rules of transformers. `train` raises RankMismatch if it has another number of ranks than the plan.
    """
    from transformers import TrainerCallback

    class SpurCallback(TrainerCallback):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            self._assigned: Assignment = current()
            self._loss: Optional[float] = None
            self._samples = 0
            self._batches: Optional[_Batches] = None
            self._stopped = False
            self._reporter = connect()

        def on_train_begin(self, args: Any, state: Any, control: Any, train_dataloader: Any = None, **_: Any) -> None:
            self._assigned.require_ranks(args.world_size, "start one process per device, by the agent or by torchrun")
            loader = getattr(train_dataloader, "base_dataloader", train_dataloader)
            if loader is not None:
                loader.worker_init_fn = _workers.init(loader.worker_init_fn)
            mark = _resumed(state.global_step)
            self._samples = state.global_step * _global_batch(args) if mark is None else mark.samples
            self._reporter.restart(self._samples)
            if self._assigned.job is None or args.max_steps > 0 or args.ignore_data_skip or args.dataloader_drop_last:
                return
            self._batches = _batches_of(train_dataloader, args, self._samples, state.global_step)
            if self._batches is None:
                _log.once(
                    f"The position in the data follows the steps of transformers: step {state.global_step} is not that "
                    f"of {self._samples} samples, or the data set has no length. After a change of batch or ranks, "
                    "samples are repeated or omitted. Use arguments() and last_checkpoint() of spur.huggingface"
                )

        def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if self._batches is not None:
                self._batches.begin_epoch()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            before = self._samples
            self._samples = before + _global_batch(args) if self._batches is None else self._batches.end_step()
            self._reporter.step(samples=self._samples - before, loss=self._loss)
            if _callbacks.sums(self._reporter.should_stop())[0]:
                self._stopped = control.should_training_stop = control.should_save = True
                control.should_evaluate = False

        def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if self._stopped:
                # The checkpoint exists. An evaluation may take longer than the grace period.
                control.should_save = control.should_evaluate = False

        def on_log(self, args: Any, state: Any, control: Any, logs: Optional[dict[str, Any]] = None, **_: Any) -> None:
            self._loss = (logs or {}).get("loss", self._loss)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if not state.is_world_process_zero:
                return
            path = os.path.join(args.output_dir, f"checkpoint-{state.global_step}", _MARK)
            length = None if self._batches is None else self._batches.epochs.length
            try:
                with open(path + ".new", "w", encoding="ascii") as file:
                    json.dump({"samples": self._samples, "length": length}, file)
                os.replace(path + ".new", path)
                self._reporter.saved()
            except OSError as error:
                if self._assigned.job is not None and state.global_step >= state.max_steps:
                    raise
                _log.once(f"The checkpoint is not complete: {path}: {error}. The training continues.")

    return SpurCallback()


class _Mark(NamedTuple):
    """Position of a checkpoint: its samples, and the samples of an epoch; None where the position is in steps."""

    samples: int
    length: Optional[int]


class _Batches:
    """Batch sampler of a rank. It splits the rest of an epoch evenly over the passes and ranks of its steps."""

    def __init__(self, sampler: Any, epochs: Epochs, rank: int, samples: int) -> None:
        self.epochs = epochs
        self._sampler = sampler
        self._rank = rank
        self._epoch, self._begin = divmod(samples, epochs.length)
        self._step = 0
        self._is_first = True

    def begin_epoch(self) -> None:
        """Begins the first epoch where the previous generation has stopped, and others at their first sample."""
        if not self._is_first:
            self._epoch, self._begin = self._epoch + 1, 0
        self._is_first = False
        self._step = 0

    def end_step(self) -> int:
        """Ends a step, and returns the samples of the training up to it."""
        self._step += 1
        passes = self.epochs.passes_of(self._rest)
        done = min(passes, self._step * self.epochs.passes)
        return self._epoch * self.epochs.length + self._begin + self._rest * done // passes

    @property
    def _rest(self) -> int:
        return self.epochs.length - self._begin

    def __len__(self) -> int:
        return self.epochs.passes_of_epoch

    def __iter__(self) -> Iterator[list[int]]:
        if hasattr(self._sampler, "set_epoch"):
            self._sampler.set_epoch(self._epoch)
        order = list(self._sampler)[self._begin :]
        passes = self.epochs.passes_of(self._rest)
        # transformers skips these.
        yield from [[]] * (self.epochs.passes_of_epoch - passes)
        for low, high in self.epochs.parts(self._rest, self._rank):
            yield order[low:high]


def _batches_of(loader: Any, args: Any, samples: int, step: int) -> Optional[_Batches]:
    """Replaces the batch sampler of the training; returns None if its position is not that of `samples`."""
    shard = getattr(loader, "batch_sampler", None)
    sampler: Any = getattr(getattr(shard, "batch_sampler", shard), "sampler", None)
    if not hasattr(sampler, "__len__") or getattr(shard, "num_processes", 1) != args.world_size:
        return None
    epochs = Epochs(len(sampler), args.world_size, args.per_device_train_batch_size, args.gradient_accumulation_steps)
    if len(loader) != epochs.passes_of_epoch or step != epochs.step_of(samples):
        return None
    batches = _Batches(sampler, epochs, args.process_index, samples)
    # PyTorch allows no assignment to this attribute. The loader is used for the first time after this.
    object.__setattr__(getattr(loader, "base_dataloader", loader), "batch_sampler", batches)
    return batches


def _global_batch(args: Any) -> int:
    return int(args.per_device_train_batch_size * args.gradient_accumulation_steps * args.world_size)


def _newest_complete(folder: str) -> Optional[str]:
    complete = [
        (int(name.rpartition("-")[2]), os.path.join(folder, name))
        for name in os.listdir(folder)
        if name.startswith("checkpoint-") and os.path.exists(os.path.join(folder, name, _MARK))
    ]
    return max(complete)[1] if complete else None


def _mark(checkpoint: str) -> _Mark:
    with open(os.path.join(checkpoint, _MARK), encoding="ascii") as file:
        mark = json.load(file)
    return _Mark(int(mark["samples"]), mark.get("length"))


def _resumed(step: int) -> Optional[_Mark]:
    """Position of the checkpoint that the training was resumed from at `step`; None if it was another one."""
    path = last_checkpoint() if step else None
    if path is None or _step_in(path) != step:
        return None
    return _mark(path)


def _step_in(checkpoint: str) -> int:
    with open(os.path.join(checkpoint, _STATE), encoding="utf-8") as file:
        return int(json.load(file)["global_step"])


def _restated(checkpoint: str, step: int) -> str:
    """Returns the checkpoint, or a folder with its files in which the position is `step`."""
    if _step_in(checkpoint) == step:
        return checkpoint
    import torch

    folder = tempfile.mkdtemp(prefix="spur-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in os.listdir(checkpoint):
        if name not in (_STATE, _SCHEDULER):
            os.symlink(os.path.abspath(os.path.join(checkpoint, name)), os.path.join(folder, name))
    with open(os.path.join(checkpoint, _STATE), encoding="utf-8") as file:
        state = json.load(file)
    with open(os.path.join(folder, _STATE), "w", encoding="utf-8") as file:
        json.dump({**state, "global_step": step}, file)
    if os.path.exists(os.path.join(checkpoint, _SCHEDULER)):
        schedule = torch.load(os.path.join(checkpoint, _SCHEDULER), map_location="cpu", weights_only=True)
        if "lr_lambdas" in schedule:
            # The schedules of transformers are functions of the step and of the number of steps.
            schedule.update(last_epoch=step, _step_count=step + 1)
        torch.save(schedule, os.path.join(folder, _SCHEDULER))
    return folder

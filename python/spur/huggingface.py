"""Callback for the Trainer of Hugging Face transformers.

    arguments = TrainingArguments(**spur.huggingface.arguments(output_dir="out", per_device_train_batch_size=32))
    trainer = Trainer(model, arguments, train_dataset=data, callbacks=[spur.huggingface.callback()])
    trainer.train(resume_from_checkpoint=spur.huggingface.last_checkpoint())

Outside Spur the three calls change nothing.
"""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from spur import _callbacks, _log
from spur.assignment import current
from spur.reporter import connect

__all__ = ["arguments", "callback", "last_checkpoint"]

_MARK = "spur.json"
"""File of a checkpoint, written last: it holds the samples, and its presence means that the checkpoint is complete."""


def arguments(**script: Any) -> dict[str, Any]:
    """Returns the arguments of the script with the batch of the plan and the folder of this generation."""
    assigned = current()
    planned: dict[str, Any] = {}
    if assigned.batch is not None:
        planned["per_device_train_batch_size"] = assigned.batch.per_device
        planned["gradient_accumulation_steps"] = assigned.batch.passes
    if assigned.write_dir is not None:
        _callbacks.fence(assigned)
        planned["output_dir"] = assigned.write_dir
    return {**script, **planned}


def last_checkpoint() -> Optional[str]:
    """Returns the newest complete checkpoint for `resume_from_checkpoint`; None without one."""
    return _callbacks.newest(current(), _newest_complete)


def callback() -> Any:
    """Returns a TrainerCallback that reports progress, and saves and ends the training on a stop of the job."""
    from transformers import TrainerCallback

    class SpurCallback(TrainerCallback):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            self._loss: Optional[float] = None
            self._samples = 0
            self._reporter = connect()

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._samples = _samples_of(last_checkpoint(), state.global_step, _global_batch(args))
            self._reporter.restart(self._samples)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._samples += _global_batch(args)
            self._reporter.step(samples=_global_batch(args), loss=self._loss)
            if _callbacks.any_rank(self._reporter.should_stop())[0]:
                control.should_save = True
                control.should_training_stop = True

        def on_log(self, args: Any, state: Any, control: Any, logs: Optional[dict[str, Any]] = None, **_: Any) -> None:
            self._loss = (logs or {}).get("loss", self._loss)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if not state.is_world_process_zero:
                return
            path = os.path.join(args.output_dir, f"checkpoint-{state.global_step}", _MARK)
            try:
                with open(path + ".new", "w", encoding="ascii") as file:
                    json.dump({"samples": self._samples}, file)
                os.replace(path + ".new", path)
                self._reporter.saved()
            except OSError as error:
                _log.once(f"The checkpoint is not complete: {path}: {error}. The training continues.")

    return SpurCallback()


def _global_batch(args: Any) -> int:
    return int(args.per_device_train_batch_size * args.gradient_accumulation_steps * args.world_size)


def _newest_complete(folder: str) -> Optional[str]:
    complete = [
        (int(name.rpartition("-")[2]), os.path.join(folder, name))
        for name in os.listdir(folder)
        if name.startswith("checkpoint-") and os.path.exists(os.path.join(folder, name, _MARK))
    ]
    return max(complete)[1] if complete else None


def _samples_of(checkpoint: Optional[str], steps: int, batch: int) -> int:
    """Samples of the checkpoint that was resumed from; without one of Spur, of the steps with the current batch."""
    if steps and checkpoint and checkpoint.endswith(f"-{steps}"):
        with open(os.path.join(checkpoint, _MARK), encoding="ascii") as file:
            return int(json.load(file)["samples"])
    return steps * batch

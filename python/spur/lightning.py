"""Callback for Lightning.

    trainer = Trainer(callbacks=[spur.lightning.callback()], accumulate_grad_batches=spur.lightning.passes(1))
    trainer.fit(model, loader, ckpt_path=spur.lightning.last_checkpoint())

Outside Spur the three calls change nothing.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any, Optional

from spur import _callbacks, _log
from spur.assignment import Assignment, current
from spur.reporter import connect

__all__ = ["batch_size", "callback", "last_checkpoint", "passes"]

_FILE = "lightning.ckpt"


def batch_size(default: int) -> int:
    """Returns the samples of a pass on each device, for the data loader."""
    batch = current().batch
    return default if batch is None else batch.per_device


def passes(default: int) -> int:
    """Returns the passes of a step, for `accumulate_grad_batches`."""
    batch = current().batch
    return default if batch is None else batch.passes


def last_checkpoint() -> Optional[str]:
    """Returns the newest checkpoint for `ckpt_path`; None without one."""
    return _callbacks.newest(current(), _complete)


def callback(save_every_seconds: float = 600) -> Any:
    """Returns a Callback that reports progress, saves, and ends the training when the plan stops the job."""

    class SpurCallback(_base()):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            self._assigned: Assignment = current()
            self._samples = 0
            self._pending = 0
            self._step = 0
            self._saved_at = time.monotonic()
            self._reporter = connect()

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            _callbacks.fence(self._assigned)
            self._reporter.restart(self._samples)
            self._step = trainer.global_step

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self._pending += _count(batch) * trainer.world_size
            if trainer.global_step == self._step:
                return
            self._step = trainer.global_step
            self._samples += self._pending
            self._reporter.step(samples=self._pending, loss=_loss(outputs))
            self._pending = 0
            due = trainer.is_global_zero and time.monotonic() - self._saved_at >= save_every_seconds
            stops, saves = _callbacks.any_rank(self._reporter.should_stop(), due)
            if stops or saves:
                self._save(trainer)
            if stops:
                trainer.should_stop = True

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            self._save(trainer)

        def state_dict(self) -> dict[str, Any]:
            return {"samples": self._samples}

        def load_state_dict(self, state_dict: dict[str, Any]) -> None:
            self._samples = int(state_dict["samples"])

        def _save(self, trainer: Any) -> None:
            """Saves on all ranks together, under a temporary name."""
            self._saved_at = time.monotonic()
            if self._assigned.write_dir is None:
                return
            path = os.path.join(self._assigned.write_dir, _FILE)
            try:
                trainer.save_checkpoint(path + ".new")
                if trainer.is_global_zero:
                    os.replace(path + ".new", path)
                    self._reporter.saved()
            except OSError as error:
                _log.once(f"The checkpoint {path} was not saved: {error}. The training continues.")

    return SpurCallback()


def _base() -> Any:
    """The base class of the package that the script has imported."""
    if "lightning" not in sys.modules and "pytorch_lightning" in sys.modules:
        import pytorch_lightning

        return pytorch_lightning.Callback
    import lightning.pytorch

    return lightning.pytorch.Callback


def _complete(folder: str) -> Optional[str]:
    path = os.path.join(folder, _FILE)
    return path if os.path.exists(path) else None


def _count(batch: Any) -> int:
    """Samples of a batch: the length of its first tensor."""
    while isinstance(batch, (list, tuple, dict)):
        batch = next(iter(batch.values())) if isinstance(batch, dict) else batch[0]
    return len(batch)


def _loss(outputs: Any) -> Optional[float]:
    loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
    return None if loss is None else float(loss)

"""Checkpoints: one folder per generation, each file complete or absent."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple, Optional

import torch

from spur import _log
from spur.assignment import Assignment, generation_folder

FILE = "state.pt"
VERSION = 1


class CheckpointError(RuntimeError):
    """A checkpoint that the training needs cannot be read, or its last one cannot be saved."""


class Found(NamedTuple):
    """A readable checkpoint."""

    path: str
    state: dict[str, Any]


class Checkpoints:
    """Checkpoints of a job. Without folders, as outside Spur, nothing is saved."""

    def __init__(self, assigned: Assignment, directory: Optional[str]) -> None:
        folder = assigned.checkpoint_dir or directory
        own = assigned.write_dir or (generation_folder(folder, assigned.generation) if folder else None)
        self._assigned = replace(assigned, checkpoint_dir=folder, write_dir=own)
        self._own = own

    @property
    def are_required(self) -> bool:
        """Whether the training fails without its last checkpoint: under Spur, with a folder."""
        return self._assigned.job is not None and self._own is not None

    def open(self) -> None:
        """Creates the folder of this generation. From then on, older generations do not save."""
        if self._own is not None:
            try:
                os.makedirs(self._own, exist_ok=True)
            except OSError as error:
                _log.once(f"Checkpoints cannot be saved in {self._own}: {error}. The next one tries it again.")

    def find(self) -> Optional[Found]:
        """Returns the newest readable checkpoint up to this generation; None without one."""
        unreadable = []
        for folder in self._assigned.resume_folders:
            path = os.path.join(folder, FILE)
            if not os.path.exists(path):
                continue
            try:
                return Found(path, load(path))
            except Exception as error:  # a damaged file raises errors of many types
                _log.once(f"The checkpoint {path} is skipped: {type(error).__name__}: {error}")
                unreadable.append(path)
        if unreadable:
            raise CheckpointError(
                f"no checkpoint can be read: {', '.join(unreadable)}. Restore one, or remove them to start again."
            )
        return None

    def save(self, state: dict[str, Any]) -> bool:
        """Saves under a temporary name and renames. After a failure, logs its cause once and returns false."""
        if self._own is None:
            return False
        own, newest = self._assigned.generation, max(self._assigned.generations, default=0)
        if newest > own:
            raise SystemExit(f"spur: generation {own} does not save: generation {newest} has begun")
        path = os.path.join(self._own, FILE)
        try:
            os.makedirs(self._own, exist_ok=True)
            with open(path + ".new", "wb") as file:
                output = _Output(file)
                torch.save({"version": VERSION, **state}, output)
                output.require_complete()
                file.flush()
                os.fsync(file.fileno())
            os.replace(path + ".new", path)
            return True
        except Exception as error:  # a full disk, or a state that cannot be pickled
            cause = f"{type(error).__name__}: {error}"
            _log.once(f"The checkpoint {path} was not saved: {cause}. The training continues and saves again later.")
            return False


class _Output:
    """Output for `torch.save` that stores its first error, because PyTorch aborts the process when a write fails."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._error: Optional[OSError] = None

    def write(self, data: Any) -> int:
        if self._error is None:
            try:
                self._file.write(data)
            except OSError as error:
                self._error = error
        return len(data)

    def flush(self) -> None:
        """Does nothing: the file is flushed after the last write."""

    def require_complete(self) -> None:
        """Raises the first error."""
        if self._error is not None:
            raise self._error


def load(path: str) -> dict[str, Any]:
    """Returns the state of a checkpoint."""
    state: dict[str, Any] = torch.load(path, map_location="cpu", **_TRUSTED)
    if state.get("version") != VERSION:
        raise CheckpointError(f"its version is {state.get('version')}, but this package reads version {VERSION}")
    return state


# A checkpoint holds the states of optimizers and schedulers, which may be of any type. Only the job itself writes it.
_TRUSTED: dict[str, Any] = {"weights_only": False}

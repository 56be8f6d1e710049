"""Checkpoints: one folder per generation, each file complete or absent."""

from __future__ import annotations

import os
from typing import Any, Optional

import torch

from spur import _log
from spur.assignment import Assignment

FILE = "state.pt"
VERSION = 1
_PREFIX = "gen-"


class CheckpointError(RuntimeError):
    """No checkpoint can be read although at least one exists, or a rank cannot read the one that rank 0 reads."""


class Checkpoints:
    """Checkpoints of a job. Without folders, as outside Spur, nothing is saved."""

    def __init__(self, assigned: Assignment, directory: Optional[str]) -> None:
        self._generation = assigned.generation
        self._all = assigned.checkpoint_dir or directory
        self._own = assigned.write_dir
        if self._own is None and self._all is not None:
            self._own = os.path.join(self._all, f"{_PREFIX}{self._generation:08d}")
        self._resume = assigned.resume_dir

    def open(self) -> None:
        """Creates the folder of this generation before any is read: from then on older generations do not save."""
        if self._own is not None:
            try:
                os.makedirs(self._own, exist_ok=True)
            except OSError as error:
                _log.once(f"Checkpoints cannot be saved in {self._own}: {error}. The training continues without.")

    def find(self) -> Optional[str]:
        """Returns the newest readable checkpoint up to this generation; None without one."""
        unreadable = []
        for folder in self._folders():
            path = os.path.join(folder, FILE)
            if not os.path.exists(path):
                continue
            try:
                load(path)
                return path
            except Exception as error:  # a damaged file raises errors of many types
                _log.once(f"The checkpoint {path} is skipped: {type(error).__name__}: {error}")
                unreadable.append(path)
        if unreadable:
            raise CheckpointError(f"no checkpoint can be read: {', '.join(unreadable)}. Restore one, or remove them to start again.")
        return None

    def save(self, state: dict[str, Any]) -> bool:
        """Saves under a temporary name and renames. Returns false, with the cause logged once, if it did not succeed."""
        if self._own is None:
            return False
        later = [number for number in self._generations() if number > self._generation]
        if later:
            raise SystemExit(f"spur: generation {self._generation} does not save: generation {max(later)} has begun")
        path = os.path.join(self._own, FILE)
        try:
            with open(path + ".new", "wb") as file:
                torch.save({"version": VERSION, **state}, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(path + ".new", path)
            return True
        except Exception as error:  # a full disk, or a state that cannot be pickled
            _log.once(f"The checkpoint {path} was not saved: {type(error).__name__}: {error}. The training continues and saves again later.")
            return False

    def _folders(self) -> list[str]:
        earlier = sorted((number for number in self._generations() if number <= self._generation), reverse=True)
        folders = [self._own, self._resume]
        if self._all is not None:
            folders += [os.path.join(self._all, f"{_PREFIX}{number:08d}") for number in earlier]
        return list(dict.fromkeys(folder for folder in folders if folder))

    def _generations(self) -> list[int]:
        try:
            names = os.listdir(self._all) if self._all else []
        except OSError:
            names = []
        return [int(name[len(_PREFIX) :]) for name in names if name.startswith(_PREFIX) and name[len(_PREFIX) :].isdigit()]


def load(path: str) -> dict[str, Any]:
    """Returns the state of a checkpoint."""
    with open(path, "rb") as file:
        state: dict[str, Any] = torch.load(file, map_location="cpu", **_TRUSTED)
    if state.get("version") != VERSION:
        raise CheckpointError(f"its version is {state.get('version')}, but this package reads version {VERSION}")
    return state


# A checkpoint holds the states of optimizers and schedulers, which may be of any type. Only the job itself writes it.
_TRUSTED: dict[str, Any] = {"weights_only": False}

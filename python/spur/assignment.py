"""Assignment of this process, as the agent passes it in environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional
from urllib.parse import unquote, urlsplit

from spur import _log

__all__ = ["VERSION", "Assignment", "Batch", "RankMismatch", "VersionMismatch", "current"]

VERSION = 1
"""Version of the environment variables (`SPUR_ENVIRONMENT_VERSION`) that this package reads."""


_PREFIX = "gen-"


class VersionMismatch(RuntimeError):
    """The agent and this package use different versions of the environment variables."""


class RankMismatch(RuntimeError):
    """The training has another number of ranks than the plan, so it would train another batch or several models."""


@dataclass(frozen=True)
class Batch:
    """Batch of a step: `per_device` samples in each of `passes` forward and backward passes, on every rank."""

    per_device: int
    passes: int = 1

    def __post_init__(self) -> None:
        if self.per_device < 1 or self.passes < 1:
            raise ValueError(f"batch of {self.per_device} samples in {self.passes} passes: both are at least 1")

    def total(self, world_size: int) -> int:
        """Global batch: samples that all ranks process in a step."""
        return world_size * self.per_device * self.passes

    @staticmethod
    def split(global_batch: int, world_size: int, max_per_device: Optional[int] = None) -> Batch:
        """Returns the batch of exactly `global_batch` samples that needs the minimum number of passes."""
        share, rest = divmod(global_batch, world_size)
        if share < 1 or rest:
            raise ValueError(
                f"batch_size {global_batch} is not a multiple of {world_size} ranks: "
                f"choose {max(1, share) * world_size} or {(share + 1) * world_size}"
            )
        limit = max_per_device or share
        passes = next(passes for passes in range(1, share + 1) if share % passes == 0 and share // passes <= limit)
        return Batch(share // passes, passes)


@dataclass(frozen=True)
class Assignment:
    """Ranks, batch and folders of this process. Outside Spur `job` is None; the ranks are those of torchrun.

    `world_size` is that of the launcher. `planned_ranks` is that of the plan; a launcher may state another one.
    `global_batch` is the planned batch of a job without an agent, which a connector passes; its split is left to the
    script.
    """

    job: Optional[str]
    generation: int
    rank: int
    world_size: int
    planned_ranks: int
    local_rank: int
    batch: Optional[Batch]
    global_batch: Optional[int]
    checkpoint_dir: Optional[str]
    write_dir: Optional[str]
    resume_dir: Optional[str]
    report_dir: Optional[str]
    control_dir: Optional[str]

    @staticmethod
    def of(environment: Mapping[str, str]) -> Assignment:
        """Reads the variables. A malformed one is logged and ignored; another version raises VersionMismatch."""
        job = environment.get("SPUR_JOB") or None
        version = environment.get("SPUR_ENVIRONMENT_VERSION")
        if job and version and version != str(VERSION):
            raise VersionMismatch(
                f"SPUR_ENVIRONMENT_VERSION is {version}, but this package reads version {VERSION}: "
                "install the package of the release that the agent on this node has"
            )
        world_size = _number(environment, "WORLD_SIZE", 1) or 1
        batch = _batch(environment, world_size) if job else None
        report = urlsplit(environment.get("SPUR_REPORT_URL", ""))
        report_dir = unquote(report.path) if report.scheme == "file" else None
        return Assignment(
            job=job,
            generation=_number(environment, "SPUR_GENERATION", 1) or 1,
            rank=_number(environment, "RANK", 0) or 0,
            world_size=world_size,
            planned_ranks=_planned_ranks(environment, batch, world_size),
            local_rank=_number(environment, "LOCAL_RANK", 0) or 0,
            batch=batch,
            global_batch=None if job else _positive(environment, "SPUR_GLOBAL_BATCH"),
            checkpoint_dir=environment.get("SPUR_CHECKPOINT_DIR") or None,
            write_dir=environment.get("SPUR_CHECKPOINT_WRITE_DIR") or None,
            resume_dir=environment.get("SPUR_CHECKPOINT_RESUME_DIR") or None,
            report_dir=report_dir,
            control_dir=environment.get("SPUR_CONTROL_DIR") or report_dir,
        )

    def split(self, batch_size: int, world_size: int, max_per_device: Optional[int]) -> Batch:
        """Batch of each rank: that of the plan, with the split of the plan if it states one; otherwise `batch_size`.

        `max_per_device` limits the samples of a pass on each rank. ValueError: the ranks cannot share the batch.
        """
        return self.batch or Batch.split(self.global_batch or batch_size, world_size, max_per_device)

    def require_ranks(self, ranks: int, remedy: str) -> None:
        """Raises RankMismatch under Spur if a training with `ranks` ranks has not those of the plan."""
        if self.job is None or ranks == self.planned_ranks:
            return
        if ranks == self.world_size:
            remedy = "start torchrun with --nnodes=${NNODES} --nproc_per_node=${LOCAL_WORLD_SIZE}"
        raise RankMismatch(
            f"the training has {ranks} ranks, but the plan has {self.planned_ranks}: WORLD_SIZE is {self.world_size}, "
            f"and SPUR_GLOBAL_BATCH is for {self.planned_ranks} ranks. To train on all of them, {remedy}"
        )

    @property
    def generations(self) -> list[int]:
        """Generations that have a checkpoint folder, in ascending order."""
        try:
            names = os.listdir(self.checkpoint_dir) if self.checkpoint_dir else []
        except OSError:
            names = []
        return sorted(
            int(name[len(_PREFIX) :]) for name in names if name.startswith(_PREFIX) and name[len(_PREFIX) :].isdigit()
        )

    @property
    def resume_folders(self) -> list[str]:
        """Folders that may hold the checkpoint to resume from, best first; some may hold an incomplete one."""
        folders = [self.write_dir, self.resume_dir]
        for number in reversed(self.generations):
            if self.checkpoint_dir is not None and number <= self.generation:
                folders.append(generation_folder(self.checkpoint_dir, number))
        return list(dict.fromkeys(folder for folder in folders if folder))


def generation_folder(directory: str, generation: int) -> str:
    """Path of the folder in which a generation saves."""
    return os.path.join(directory, f"{_PREFIX}{generation:08d}")


def current() -> Assignment:
    """The assignment of this process."""
    return Assignment.of(os.environ)


def require_workers() -> None:
    """Raises RankMismatch in a process that the agent started for several devices: the other ranks would be missing.

    With launch PER_NODE only the workers of a launcher such as torchrun form a process group.
    """
    devices = _number(os.environ, "LOCAL_WORLD_SIZE", 1) or 1
    if os.environ.get("SPUR_LAUNCH") != "PER_NODE" or devices == 1:
        return
    try:
        with open(os.path.join(os.environ.get("SPUR_PROCESS_DIR", ""), "pid"), encoding="ascii") as file:
            guard = int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return
    if os.getppid() == guard:
        raise RankMismatch(
            f"one process was started for {devices} devices, because launch is PER_NODE, and it starts no workers. "
            "Start the script with torchrun, or set launch: PER_DEVICE in the job"
        )


def _planned_ranks(environment: Mapping[str, str], batch: Optional[Batch], world_size: int) -> int:
    """Ranks whose batches add up to the global batch of the plan."""
    stated = _number(environment, "SPUR_GLOBAL_BATCH", None)
    if batch is None or stated is None or stated < 1 or stated % batch.total(1):
        return world_size
    return stated // batch.total(1)


def _batch(environment: Mapping[str, str], world_size: int) -> Optional[Batch]:
    per_device = _number(environment, "SPUR_LOCAL_BATCH", None)
    if per_device is None:
        return None
    try:
        batch = Batch(per_device, _number(environment, "SPUR_ACCUM_STEPS", 1) or 1)
    except ValueError as malformed:
        _log.once(f"SPUR_LOCAL_BATCH and SPUR_ACCUM_STEPS are ignored: {malformed}. The batch of the script is used.")
        return None
    stated = _number(environment, "SPUR_GLOBAL_BATCH", None)
    if stated is not None and stated != batch.total(world_size):
        _log.once(
            f"SPUR_GLOBAL_BATCH {stated} is not {world_size} ranks x {batch.per_device} samples x "
            f"{batch.passes} passes. The global batch is {batch.total(world_size)}."
        )
    return batch


def _positive(environment: Mapping[str, str], name: str) -> Optional[int]:
    number = _number(environment, name, None)
    if number is not None and number < 1:
        _log.once(f"{name} {number} is ignored: it is not at least 1. The batch of the script is used.")
        return None
    return number


def _number(environment: Mapping[str, str], name: str, default: Optional[int]) -> Optional[int]:
    text = environment.get(name)
    if not text:
        return default
    try:
        return int(text)
    except ValueError:
        _log.once(f"{name} is not a number: {text!r}. It is ignored.")
        return default

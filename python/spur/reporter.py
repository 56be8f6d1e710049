"""Reports the progress of a training to Spur, and returns whether it should save and stop. One file, no dependencies.

    reporter = spur.reporter.connect(samples=checkpoint.samples)
    while samples < total:
        loss = train_one_step()
        reporter.step(samples=batch, loss=loss)
        if reporter.should_stop():
            save()
            break

Outside Spur all of this does nothing. Inside, the process with RANK 0 writes to a folder that the agent of the node
reads; the other ranks write nothing. No exception reaches the training: each cause of an error is printed once.
"""

from __future__ import annotations

import atexit
import errno
import json
import os
import signal
import statistics
import sys
import threading
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any, Callable, Optional

__all__ = ["Reporter", "connect"]

WRITE_SECONDS = 0.5
"""At least so long between two files that are written, and between two looks at the files of the agent."""


CAUSES = 20
"""Maximum number of causes that are logged."""


def connect(samples: float = 0) -> Reporter:
    """A reporter for this process. `samples` is what the checkpoint that was loaded had already seen, 0 without one."""
    return Reporter(os.environ, samples)


class Reporter:
    """Use connect(). All methods return at once and never raise. They may be called from several threads."""

    def __init__(self, environment: Mapping[str, str], samples: float = 0) -> None:
        self._lock = threading.Lock()
        self._logged: set[str] = set()
        self._signalled = False
        self._stop = False
        self._samples = float(samples)
        self._checkpoint: Optional[float] = None
        self._layout: dict[str, int] = {}
        self._rescale: Optional[int] = None
        self._change: Optional[str] = None
        self._change_after: Optional[float] = None
        self._changes: list[dict[str, Any]] = []
        self._loss: Optional[float] = None
        self._noise_scale: Optional[float] = None
        self._step_seconds: list[float] = []
        self._steps = 0
        self._last_step: Optional[float] = None
        self._first_step_end: Optional[float] = None
        self._first_step_start: Optional[float] = None
        self._last_uptime: Optional[float] = None
        self._last_write: Optional[float] = None
        self._unwritten = False
        self._last_look: Optional[float] = None
        self._folder: Optional[str] = None
        self._control: Optional[str] = None
        self._lease: Optional[str] = None
        self._rank = 0
        self._generation: Optional[int] = None
        self._guarded(self._open, environment)

    def step(self, samples: float, loss: Optional[float] = None, noise_scale: Optional[float] = None) -> None:
        """After each step: the samples of all ranks together, and the loss and the gradient noise scale, if known.

        The last noise scale stays until there is another: it is seldom measured in each step.
        """
        self._guarded(self._step, samples, loss, noise_scale)

    def restart(self, samples: float) -> None:
        """Sets the samples of a checkpoint that was loaded after connect()."""
        self._samples = float(samples)

    def observe(self, loss: float, noise_scale: Optional[float] = None) -> None:
        """Sets the loss and the noise scale of the last step, where they are known only later."""
        self._guarded(self._observe, loss, noise_scale)

    def saved(self) -> None:
        """After a checkpoint was written: what was reported so far is in it."""
        self._guarded(self._saved)

    def layout(self, ranks: int, batch: int) -> None:
        """Sets the number of ranks and the global batch of the next steps."""
        self._guarded(self._set_layout, ranks, batch)

    def changed(
        self,
        mechanism: str,
        ranks: int,
        batch: int,
        rescale: Optional[int] = None,
        seconds_ago: Optional[float] = None,
    ) -> None:
        """After a change between two steps. Measures its stall with the next two steps.

        `mechanism` is RECONFIGURE, RESCALE or MIGRATE; `rescale` is the number of the change of the ranks. The last
        step before the change was `seconds_ago`, or was the last one of this process.
        """
        self._guarded(self._changed, mechanism, ranks, batch, rescale, seconds_ago)

    def should_stop(self) -> bool:
        """Whether to save and stop. Once True it stays so.

        Ranks may see it at different steps. With several ranks, let one of them decide, or sum the answers with the
        gradients, so that all stop after the same step.
        """
        self._guarded(self._look)
        return self._stop

    def flush(self) -> None:
        """Writes what was not written yet. Done at the end of the process as well."""
        self._guarded(self._write)

    def _open(self, environment: Mapping[str, str]) -> None:
        self._rank = int(environment.get("RANK", "0"))
        self._generation = int(environment["SPUR_GENERATION"]) if environment.get("SPUR_GENERATION") else None
        self._lease = environment.get("SPUR_LEASE_FILE")
        url = urllib.parse.urlsplit(environment.get("SPUR_REPORT_URL", ""))
        if url.scheme == "file":
            self._folder = urllib.parse.unquote(url.path)
            # The folder in which only the agent writes.
            self._control = environment.get("SPUR_CONTROL_DIR") or self._folder
            self._watch_for_sigterm()
            atexit.register(self._at_the_end)

    def _watch_for_sigterm(self) -> None:
        """The agent asks by SIGTERM as well. A handler of the training's own is left alone."""
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._on_sigterm)

    def _on_sigterm(self, _signal: int, _frame: Any) -> None:
        self._signalled = True

    def _step(self, samples: float, loss: Optional[float], noise_scale: Optional[float]) -> None:
        now = time.monotonic()
        with self._lock:
            self._samples += float(samples)
            self._unwritten = True
            self._loss = None if loss is None else float(loss)
            if noise_scale is not None:
                self._noise_scale = float(noise_scale)
            self._measure_change(now)
            self._last_uptime = _uptime()
            if self._first_step_end is None:
                self._first_step_end = self._last_uptime
            elif self._first_step_start is None and self._last_step is not None:
                # The first step may take longer than the second one; this excess is part of the restart.
                self._first_step_start = self._first_step_end - (now - self._last_step)
            if self._last_step is not None:
                self._steps += 1
                self._step_seconds = [*self._step_seconds[-499:], now - self._last_step]
            self._last_step = now
        if self._last_write is None or now - self._last_write >= WRITE_SECONDS:
            self._write()

    def _observe(self, loss: float, noise_scale: Optional[float]) -> None:
        with self._lock:
            self._loss = float(loss)
            if noise_scale is not None:
                self._noise_scale = float(noise_scale)
            self._unwritten = True

    def _saved(self) -> None:
        with self._lock:
            self._checkpoint = self._samples
            # The time of a checkpoint is not part of a step.
            self._last_step = time.monotonic()
        self._write()

    def _set_layout(self, ranks: int, batch: int) -> None:
        with self._lock:
            self._layout = {"ranks": int(ranks), "batch": int(batch)}

    def _changed(
        self, mechanism: str, ranks: int, batch: int, rescale: Optional[int], seconds_ago: Optional[float]
    ) -> None:
        self._set_layout(ranks, batch)
        with self._lock:
            # The next steps are not comparable with the previous ones.
            self._step_seconds = []
            after = self._last_step if seconds_ago is None else time.monotonic() - seconds_ago
            self._change, self._change_after = mechanism, after
            self._last_step = None
            if rescale is not None:
                self._rescale = rescale
        self._write()

    def _measure_change(self, now: float) -> None:
        """After the second step of a change: its stall is what the first step took longer than the second."""
        if self._change is not None and self._last_step is not None:
            if self._change_after is not None:
                step = now - self._last_step
                stall = max(0.0, self._last_step - self._change_after - step)
                number = self._changes[-1]["number"] + 1 if self._changes else 1
                entry = {"number": number, "mechanism": self._change, "stallSeconds": stall}
                self._changes = [*self._changes[-7:], entry]
            self._change = None

    def _at_the_end(self) -> None:
        if signal.getsignal(signal.SIGTERM) == self._on_sigterm:
            # The interpreter resets handlers when it ends, and a late SIGTERM would make the exit code 143.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self._unwritten:
            self.flush()

    def _write(self) -> None:
        if self._folder is None or self._rank != 0:
            return
        with self._lock:
            self._last_write = time.monotonic()
            report: dict[str, Any] = {"generation": self._generation, "samples": self._samples, "steps": self._steps}
            if _is_finite(self._loss):
                report["loss"] = self._loss
            if self._noise_scale is not None and 0 <= self._noise_scale < float("inf"):
                report["noiseScale"] = self._noise_scale
            if self._checkpoint is not None:
                report["checkpointSamples"] = self._checkpoint
            report.update(self._layout)
            if self._rescale is not None:
                report["rescale"] = self._rescale
            if self._changes:
                report["changes"] = self._changes
            if self._first_step_start is not None:
                report.update(firstStep=self._first_step_start, lastStep=self._last_uptime)
            if self._step_seconds:
                report["stepSeconds"] = statistics.median(self._step_seconds)
            _replace(os.path.join(self._folder, "progress.json"), json.dumps(report))
            self._unwritten = False

    def _look(self) -> None:
        now = time.monotonic()
        if self._stop or self._folder is None or self._control is None:
            return
        if not self._signalled and self._last_look is not None and now - self._last_look < WRITE_SECONDS:
            return
        self._last_look = now
        if self._signalled or os.path.exists(os.path.join(self._control, "stop")) or self._lease_has_ended():
            self._stop = True
            # Reports to the agent that exit code 0 is a requested stop, not the end of the work.
            asked = os.path.join(self._folder, "asked")
            try:
                os.replace(asked + ".new", asked)
            except FileNotFoundError:  # another rank was first, or no agent has prepared the file
                with open(asked, "w", encoding="ascii"):
                    pass

    def _lease_has_ended(self) -> bool:
        """Without this check a training whose agent is dead would continue while its successor runs elsewhere."""
        until = _words(self._lease)
        uptime = _words("/proc/uptime")
        # The file states the end of the lease twice; the words differ while the agent renews it.
        return len(set(until)) == 1 and bool(uptime) and float(uptime[0]) >= float(until[0])

    def _guarded(self, work: Callable[..., None], *arguments: Any) -> None:
        try:
            work(*arguments)
        except Exception as error:  # pylint: disable=broad-except
            cause = f"{type(error).__name__}: {error}"
            if cause not in self._logged and len(self._logged) < CAUSES:
                self._logged.add(cause)
                print(f"spur.reporter: {cause}. The training continues.", file=sys.stderr)


def _is_finite(number: Optional[float]) -> bool:
    return number is not None and number - number == 0


def _uptime() -> Optional[float]:
    """Seconds since the machine started, which the agent reads as well; None where there is no such clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return None if clock is None else time.clock_gettime(clock)


def _words(path: Optional[str]) -> list[str]:
    """The words of a file; none if it does not exist."""
    try:
        with open(path or os.devnull, encoding="ascii") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


def _replace(path: str, text: str) -> None:
    """Replaces a file, so that no reader sees a part of it.

    On a full disk, the first text is written to the space that the agent has prepared. Later ones overwrite the file,
    which needs no new space. A reader that meets this write ignores what is not JSON, and reads again later.
    """
    new = path + ".new"
    try:
        with open(new, "r+b" if os.path.exists(new) else "wb") as file:
            file.write(text.encode())
            file.truncate()
        os.replace(new, path)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT) or not os.path.exists(path):
            raise
        with open(path, "r+b") as file:
            file.write(text.encode().ljust(os.path.getsize(path)))

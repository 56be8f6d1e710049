"""A buffer that is larger than the local memory of a data preparation.

    with spur.memory.Pages(size=64 << 30, resident=40 << 30) as pages:
        pages.write(offset, data)
        data = pages.read(offset, length)

Pages that were used least recently move to the lenders of the preparation, and always to a local file as well.
So the loss of a lender, and a revoked loan, cost time but no data.
"""

from __future__ import annotations

import json
import mmap
import os
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Optional

from . import _log
from ._lender import NBD_ERROR, Lender, LenderLost
from ._page_file import PageFile

__all__ = ["Moves", "PagedArray", "Pages"]

# Time between two reads of the list of loans, and until a lost lender is tried again, seconds.
_LOOK_SECONDS, _RETRY_SECONDS = 0.2, 5.0
# Part of the resident pages that may wait for the file, and its limit in pages.
_BACKLOG_PART, _BACKLOG_PAGES = 8, 256
# Part of the resident pages that may be on the way to a lender, and as many from it, and its limit in pages.
_DEPTH_PART, _DEPTH_PAGES = 32, 8
# Lenders whose transfers count as resident memory: a preparation usually has at most two.
_LENDERS = 2
_MIN_RESIDENT = 16


@dataclass
class Moves:
    """Numbers of pages that have moved since the start."""

    from_lenders: int = 0
    from_file: int = 0
    to_lenders: int = 0
    to_file: int = 0


class Pages:
    """A buffer of bytes that are 0 at first. Thread-safe: one access at a time."""

    def __init__(
        self,
        size: int,
        resident: int,
        *,
        page_bytes: int = 64 << 10,
        folder: str = "/var/tmp",
        loans: Optional[str] = None,
    ) -> None:
        """Reserves a file of `size` bytes in `folder`, which must be on a local disk.

        `resident` is the local memory for pages in bytes, at least 16 pages, including those that wait for the file
        or are on the way.
        `page_bytes` is a multiple of 4096. `loans` is the list of the loans that the agent writes (SPUR_LOANS).
        Raises ValueError that names all wrong arguments, and OSError if the file cannot be created.
        """
        wrong = []
        if page_bytes < mmap.PAGESIZE or page_bytes % mmap.PAGESIZE:
            wrong.append(f"page_bytes is {page_bytes}: use a multiple of {mmap.PAGESIZE}")
        elif resident < _MIN_RESIDENT * page_bytes:
            wrong.append(f"resident is {resident}: use at least {_MIN_RESIDENT} pages of {page_bytes} bytes")
        if size < 1:
            wrong.append(f"size is {size}: use at least 1 byte")
        if wrong:
            raise ValueError("; ".join(wrong))
        self._size = size
        self._page_bytes = page_bytes
        count = resident // page_bytes
        backlog = min(_BACKLOG_PAGES, max(1, count // _BACKLOG_PART))
        pages = -(-size // page_bytes)
        self._file = PageFile(folder, pages * page_bytes, page_bytes, backlog)
        self._depth = min(_DEPTH_PAGES, max(1, count // _DEPTH_PART))
        frames = min(count - backlog - 2 * _LENDERS * self._depth, pages)
        self._memory = memoryview(mmap.mmap(-1, frames * page_bytes))
        self._free = list(range(frames))
        # Frames of the resident pages, the least recently used first; those that differ from the file.
        self._resident: OrderedDict[int, int] = OrderedDict()
        self._changed: set[int] = set()
        # Pages that have moved out at least once: all others are 0.
        self._stored: set[int] = set()
        # Lenders by name, the free slots of each, the place of each page that has one, and resident pages among them.
        self._lenders: dict[str, Lender] = {}
        self._slots: dict[str, list[int]] = {}
        self._places: dict[int, tuple[str, int]] = {}
        self._redundant: dict[int, None] = {}
        self._loans = _Loans(loans if loans is not None else os.environ.get("SPUR_LOANS"))
        self._retry: dict[str, float] = {}
        self._moves = Moves()
        self._last_loaded = -2
        self._lock = threading.RLock()
        with self._lock:
            self._look()

    def __len__(self) -> int:
        return self._size

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def missing(self) -> Optional[str]:
        """The part that is missing to move pages to another node, and the cause; None if a lender is connected."""
        with self._lock:
            return None if self._lenders else self._loans.missing

    @property
    def moves(self) -> Moves:
        """Numbers of pages that have moved, a copy."""
        with self._lock:
            return Moves(**vars(self._moves))

    def read(self, offset: int, length: int) -> bytes:
        """A copy of `length` bytes from `offset`. Raises ValueError outside the buffer, OSError on a broken disk."""
        target = bytearray(max(0, length))
        if length < 0:
            raise ValueError(f"length is {length}: use at least 0")
        self.readinto(offset, target)
        return bytes(target)

    def readinto(self, offset: int, target: Any) -> None:
        """Fills a writable buffer with the bytes from `offset`. Raises as `read` does."""
        view = memoryview(target).cast("B")
        with self._lock:
            for page, start, end, done in self._parts(offset, len(view)):
                view[done : done + end - start] = self._frame(page)[start:end]

    def write(self, offset: int, content: Any) -> None:
        """Writes a buffer from `offset`. Raises as `read` does."""
        view = memoryview(content).cast("B")
        with self._lock:
            for page, start, end, done in self._parts(offset, len(view)):
                frame = self._frame(page, end - start == self._page_bytes)
                frame[start:end] = view[done : done + end - start]
                self._changed.add(page)

    def array(self, dtype: Any) -> PagedArray:
        """The buffer as a one-dimensional array of this NumPy type."""
        return PagedArray(self, dtype)

    def flush(self) -> None:
        """Waits until the file has all pages that have moved out. Raises OSError if it cannot be written."""
        with self._lock:
            self._file.flush()

    def close(self) -> None:
        """Drops the content and deletes the file. The buffer must not be used again."""
        with self._lock:
            for lender in self._lenders.values():
                lender.close()
            self._lenders.clear()
            self._file.close()

    def _parts(self, offset: int, length: int) -> list[tuple[int, int, int, int]]:
        """Page, start and end within the page, and bytes before it, for each page of a range."""
        if offset < 0 or offset + length > self._size:
            raise ValueError(f"bytes {offset} to {offset + length} are outside the buffer of {self._size} bytes")
        parts = []
        done = 0
        while done < length:
            page, start = divmod(offset + done, self._page_bytes)
            end = min(self._page_bytes, start + length - done)
            parts.append((page, start, end, done))
            done += end - start
        return parts

    def _frame(self, page: int, overwritten: bool = False) -> memoryview:
        """The memory of a page, which becomes resident. Its content is undefined if it is to be overwritten."""
        frame = self._resident.get(page)
        if frame is None:
            self._look()
            frame = self._free.pop() if self._free else self._evict()
            try:
                if not overwritten:
                    self._load(page, self._view(frame))
            except OSError:
                self._free.append(frame)
                raise
            self._resident[page] = frame
            if page in self._places:
                self._redundant[page] = None
        else:
            self._resident.move_to_end(page)
        return self._view(frame)

    def _view(self, frame: int) -> memoryview:
        return self._memory[frame * self._page_bytes : (frame + 1) * self._page_bytes]

    def _load(self, page: int, target: memoryview) -> None:
        if page not in self._stored:
            target[:] = bytes(self._page_bytes)
            return
        if page in self._places:
            name, slot = self._places[page]
            try:
                if self._last_loaded == page - 1:
                    self._lenders[name].read_ahead(self._next_slots(page, name))
                self._lenders[name].read(slot, target)
                self._last_loaded = page
                self._moves.from_lenders += 1
                return
            except LenderLost as lost:
                self._lose(name, str(lost))
        self._file.get(page, target)
        self._moves.from_file += 1

    def _next_slots(self, page: int, name: str) -> list[int]:
        """The slots of this page and of the next ones, as far as they are at the same lender and not resident."""
        slots = []
        for following in range(page, page + self._depth):
            place = self._places.get(following)
            if place is None or place[0] != name or following in self._resident:
                break
            slots.append(place[1])
        return slots

    def _evict(self) -> int:
        """Moves the least recently used page out, and returns its frame."""
        page, frame = next(iter(self._resident.items()))
        content = self._view(frame)
        changed = page in self._changed
        if changed:
            self._file.put(page, content)
            self._moves.to_file += 1
            self._stored.add(page)
            self._changed.discard(page)
        del self._resident[page]
        self._redundant.pop(page, None)
        if changed or (page in self._stored and page not in self._places):
            self._lend(page, content)
        return frame

    def _lend(self, page: int, content: memoryview) -> None:
        """Writes a page to a lender with room. Without room it takes that of a resident page."""
        if page not in self._places:
            name = next((name for name, free in self._slots.items() if free), None)
            if name is not None:
                self._places[page] = name, self._slots[name].pop()
            elif self._redundant:
                self._places[page] = self._places.pop(self._redundant.popitem()[0])
            else:
                return
        name, slot = self._places[page]
        try:
            self._lenders[name].write(slot, content)
            self._moves.to_lenders += 1
        except LenderLost as lost:
            self._lose(name, str(lost))

    def _lose(self, name: str, cause: str) -> None:
        self._loans.missing = cause
        self._retry[name] = time.monotonic() + _RETRY_SECONDS
        _log.once(f"{cause}; its pages are read from the local file")
        self._disconnect(name)

    def _disconnect(self, name: str) -> None:
        self._lenders.pop(name).close()
        del self._slots[name]
        self._places = {page: place for page, place in self._places.items() if place[0] != name}
        self._redundant = {page: None for page in self._redundant if page in self._places}

    def _look(self) -> None:
        """Connects to new lenders, and leaves those whose loan was revoked."""
        if self._loans.read():
            for name in list(self._lenders):
                if self._loans.served.get(name) != self._loans.connected.get(name):
                    self._disconnect(name)
            self._retry.clear()
        for name, place in self._loans.served.items():
            if name not in self._lenders and self._retry.get(name, 0) <= time.monotonic():
                try:
                    lender = Lender(name, *place, self._loans.keys, self._page_bytes, self._depth)
                except LenderLost as lost:
                    self._loans.missing = str(lost)
                    self._retry[name] = time.monotonic() + _RETRY_SECONDS
                    _log.once(str(lost))
                    continue
                self._lenders[name] = lender
                self._loans.connected[name] = place
                self._slots[name] = list(range(lender.slots - 1, -1, -1))


class _Loans:
    """The list of the loans, as the agent writes it."""

    def __init__(self, file: Optional[str]) -> None:
        self._file = file
        self._version: Optional[tuple[int, int]] = None
        self._next = 0.0
        # Address and port by the name of the lender, and those to which a connection was made.
        self.served: dict[str, tuple[str, int]] = {}
        self.connected: dict[str, tuple[str, int]] = {}
        self.missing: Optional[str] = None
        if not file:
            self.missing = "SPUR_LOANS is not set: only a data preparation of an agent has lenders"
        elif NBD_ERROR:
            self.missing = NBD_ERROR
            _log.once(f"pages move to the local file alone: {NBD_ERROR}")
        self.keys = f"{file}.psk"

    def read(self) -> bool:
        """Reads the list if some time has passed. Returns whether it has changed."""
        if not self._file or NBD_ERROR or time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + _LOOK_SECONDS
        try:
            status = os.stat(self._file)
            version = status.st_ino, status.st_mtime_ns
            if version == self._version:
                return False
            with open(self._file, encoding="utf-8") as file:
                loans = json.load(file)
            self._version = version
        except (OSError, ValueError) as error:
            self.missing = f"the list of loans {self._file} is not readable: {error}"
            return False
        self.served = {loan["lender"]: (loan["address"], loan["port"]) for loan in loans if loan.get("port")}
        if not self.served:
            waiting = ", ".join(loan["lender"] for loan in loans)
            self.missing = f"no lender serves memory yet: {waiting}" if loans else "the preparation has no loans"
        return True


class PagedArray:
    """A one-dimensional view of `Pages` with the type of NumPy `dtype`. Items and slices of step 1 are copies."""

    def __init__(self, pages: Pages, dtype: Any) -> None:
        import numpy

        self._numpy = numpy
        self._pages = pages
        self.dtype = numpy.dtype(dtype)

    def __len__(self) -> int:
        return len(self._pages) // int(self.dtype.itemsize)

    def __getitem__(self, index: Any) -> Any:
        start, count = self._range(index)
        items = self._numpy.empty(count, self.dtype)
        self._pages.readinto(start * self.dtype.itemsize, items.view("u1"))
        return items if isinstance(index, slice) else items[0]

    def __setitem__(self, index: Any, items: Any) -> None:
        start, count = self._range(index)
        filled = self._numpy.empty(count, self.dtype)
        filled[:] = items
        self._pages.write(start * self.dtype.itemsize, filled.view("u1"))

    def _range(self, index: Any) -> tuple[int, int]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise ValueError(f"the step of a slice is {step}: use 1")
            return start, max(0, stop - start)
        at = int(index) + (len(self) if index < 0 else 0)
        if not 0 <= at < len(self):
            raise IndexError(f"item {index} is outside the array of {len(self)} items")
        return at, 1

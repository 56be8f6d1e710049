"""File of the pages that were moved out of memory, written by a thread of its own."""

from __future__ import annotations

import fcntl
import mmap
import os
import tempfile
import threading
from collections import OrderedDict
from typing import Optional

# Pause after a failed write, seconds.
_RETRY_SECONDS = 0.5


class PageFile:
    """Pages on disk, past the page cache where the file system allows it (O_DIRECT).

    A page stays in the backlog, in memory, until the file has it. The file has no name and ends with the process.
    One thread at a time may call the methods.
    """

    def __init__(self, folder: str, size: int, page_bytes: int, backlog: int) -> None:
        """Reserves the space. `size` is in bytes; `backlog` is the maximum number of unwritten pages, at least 1.

        Raises OSError if the folder does not exist, or has too little space.
        """
        self._page_bytes = page_bytes
        self._file = tempfile.TemporaryFile(dir=folder, prefix="spur-pages-")
        try:
            os.posix_fallocate(self._file.fileno(), 0, size)
        except OSError as error:
            self._file.close()
            raise OSError(error.errno, f"{folder} has no space for {size} bytes of pages: {error.strerror}") from error
        try:
            flags = fcntl.fcntl(self._file.fileno(), fcntl.F_GETFL)
            fcntl.fcntl(self._file.fileno(), fcntl.F_SETFL, flags | os.O_DIRECT)
        except OSError:
            pass  # such as a file system in memory
        self._memory = memoryview(mmap.mmap(-1, backlog * page_bytes))
        self._free = list(range(backlog))
        self._waiting: OrderedDict[int, int] = OrderedDict()
        self._writing: Optional[tuple[int, int]] = None
        self._error: Optional[OSError] = None
        self._ended = False
        self._changed = threading.Condition()
        self._writer = threading.Thread(target=self._write_all, name="spur-pages", daemon=True)
        self._writer.start()

    def put(self, page: int, content: memoryview) -> None:
        """Copies a page to the backlog. Waits while it is full; raises OSError if the file cannot be written then."""
        with self._changed:
            slot = self._waiting.get(page)
            if slot is None:
                self._changed.wait_for(lambda: self._free or self._error)
                if not self._free and self._error:
                    raise self._error
                slot = self._free.pop()
                self._waiting[page] = slot
            self._slot(slot)[:] = content
            self._changed.notify_all()

    def get(self, page: int, target: memoryview) -> None:
        """Reads a page that was put, of the backlog or the file."""
        with self._changed:
            slot = self._waiting.get(page)
            if slot is None and self._writing is not None and self._writing[0] == page:
                slot = self._writing[1]
            if slot is not None:
                target[:] = self._slot(slot)
                return
        start = page * self._page_bytes
        done = 0
        while done < self._page_bytes:
            count = os.preadv(self._file.fileno(), [target[done:]], start + done)
            if count == 0:
                raise OSError(f"the file of the pages ends at byte {start + done}: another process has truncated it")
            done += count

    def flush(self) -> None:
        """Waits until the file has all pages. Raises OSError if it cannot be written."""
        with self._changed:
            self._changed.wait_for(lambda: self._error or not (self._waiting or self._writing))
            if self._error:
                raise self._error

    def close(self) -> None:
        """Deletes the file."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._writer.join()
        self._file.close()

    def _slot(self, slot: int) -> memoryview:
        return self._memory[slot * self._page_bytes : (slot + 1) * self._page_bytes]

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._waiting)
                if self._ended:
                    return
                page, slot = self._waiting.popitem(last=False)
                self._writing = page, slot
            error = self._write(page, slot)
            with self._changed:
                self._writing = None
                self._error = error
                if error and page not in self._waiting:
                    self._waiting[page] = slot
                else:
                    self._free.append(slot)
                self._changed.notify_all()
                if error:
                    self._changed.wait_for(lambda: self._ended, _RETRY_SECONDS)

    def _write(self, page: int, slot: int) -> Optional[OSError]:
        content = self._slot(slot)
        start = page * self._page_bytes
        done = 0
        try:
            while done < self._page_bytes:
                done += os.pwrite(self._file.fileno(), content[done:], start + done)
        except OSError as error:
            return error
        return None

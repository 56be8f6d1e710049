"""Connection to the memory of another node, over the network block device protocol (NBD) with TLS."""

from __future__ import annotations

import contextlib
import mmap
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Optional

try:
    import nbd

    NBD_ERROR: Optional[str] = None
except ImportError as missing:
    nbd = None
    NBD_ERROR = f"the module nbd is missing ({missing}): apt-get install python3-libnbd, and run /usr/bin/python3"

RESPONSE_SECONDS = 2.0
"""Time after which a lender that does not respond counts as lost."""


class LenderLost(Exception):
    """The lender does not respond; its pages are lost."""


class Lender:
    """Pages of one lender, by slot. After LenderLost it must not be used again. One thread at a time."""

    def __init__(self, name: str, address: str, port: int, keys: str, page_bytes: int, depth: int) -> None:
        """Connects with the key of user `name`, whose colons are %3A, in the file `keys`. Raises LenderLost.

        `depth` is the maximum number of pages that are written at a time, and of those that are read ahead.
        """
        self.name = name
        self._page_bytes = page_bytes
        self._writes = _Transfers(depth, page_bytes)
        self._reads = _Transfers(depth, page_bytes)
        self._handle: Any = nbd.NBD()
        try:
            self._handle.set_tls(nbd.TLS_REQUIRE)
            self._handle.set_tls_psk_file(keys)
            self._handle.set_tls_username(name.replace(":", "%3A"))
            connection = socket.create_connection((address, port), RESPONSE_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setblocking(False)
            self._handle.aio_connect_socket(connection.detach())
            self._await(self._handle.aio_is_ready)
            self.slots: int = self._handle.get_size() // page_bytes
        except (OSError, nbd.Error) as error:
            self.close()
            raise LenderLost(f"the lender {name} at {address}:{port} does not respond: {error}") from error

    def read(self, slot: int, target: memoryview) -> None:
        """Reads a page. Raises LenderLost; then the content of `target` is undefined."""
        with self._lost_on_error():
            self._complete(self._writes, slot)
            if slot in self._reads.started:
                target[:] = self._complete(self._reads, slot)
            else:
                self._await_command(self._handle.aio_pread(target, slot * self._page_bytes))

    def read_ahead(self, slots: Iterable[int]) -> None:
        """Begins to read pages that are likely to be read next, as far as there is room. Raises LenderLost."""
        with self._lost_on_error():
            for slot in slots:
                if slot not in self._reads.started and slot not in self._writes.started:
                    if not self._reads.free:
                        self._complete(self._reads, next(iter(self._reads.started)))
                    memory = self._reads.memory[self._reads.free[-1]]
                    self._reads.start(slot, self._handle.aio_pread(memory, slot * self._page_bytes))

    def write(self, slot: int, content: memoryview) -> None:
        """Begins to write a copy of a page. Raises LenderLost, also for an earlier page."""
        with self._lost_on_error():
            self._complete(self._reads, slot)
            self._complete(self._writes, slot)
            if not self._writes.free:
                self._complete(self._writes, next(iter(self._writes.started)))
            memory = self._writes.memory[self._writes.free[-1]]
            memory[:] = content
            self._writes.start(slot, self._handle.aio_pwrite(memory, slot * self._page_bytes))

    def close(self) -> None:
        """Ends the connection. Libnbd has no threads, so that no command writes to memory any more."""
        self._handle = None

    def _complete(self, transfers: _Transfers, slot: int) -> memoryview:
        """Waits for the transfer of a slot, if there is one, and returns its memory, valid until the next transfer."""
        if slot not in transfers.started:
            return transfers.memory[0]
        cookie, buffer = transfers.started[slot]
        self._await_command(cookie)
        del transfers.started[slot]
        transfers.free.append(buffer)
        return transfers.memory[buffer]

    @contextlib.contextmanager
    def _lost_on_error(self) -> Iterator[None]:
        try:
            yield
        except (OSError, nbd.Error) as error:
            raise LenderLost(f"the lender {self.name} does not respond: {error}") from error

    def _await_command(self, cookie: int) -> None:
        self._await(lambda: self._handle.aio_command_completed(cookie))

    def _await(self, is_done: Callable[[], bool]) -> None:
        end = time.monotonic() + RESPONSE_SECONDS
        while not is_done():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no response in {RESPONSE_SECONDS:g} s")
            if self._handle.aio_is_dead() or self._handle.aio_is_closed():
                raise ConnectionError("the connection has ended")
            self._handle.poll(max(1, int(left * 1000)))


class _Transfers:
    """Memory of the pages that are on their way in one direction."""

    def __init__(self, depth: int, page_bytes: int) -> None:
        whole = memoryview(mmap.mmap(-1, depth * page_bytes))
        self.memory = [whole[index * page_bytes : (index + 1) * page_bytes] for index in range(depth)]
        self.free = list(range(depth))
        # Command and memory by slot, the oldest first.
        self.started: dict[int, tuple[int, int]] = {}

    def start(self, slot: int, cookie: int) -> None:
        """Records a command with the last free memory."""
        self.started[slot] = cookie, self.free.pop()

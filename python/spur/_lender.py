"""Connection to the memory of another node, over the network block device protocol (NBD) with TLS."""

from __future__ import annotations

import socket
import time
from typing import Any, Optional

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

    def __init__(self, name: str, address: str, port: int, keys: str, page_bytes: int) -> None:
        """Connects with the key of user `name`, whose colons are %3A, in the file `keys`. Raises LenderLost."""
        self.name = name
        self._page_bytes = page_bytes
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
        self._transfer(self._handle.aio_pread, slot, target)

    def write(self, slot: int, content: memoryview) -> None:
        """Writes a page. Raises LenderLost."""
        self._transfer(self._handle.aio_pwrite, slot, content)

    def close(self) -> None:
        """Ends the connection. Libnbd has no threads, so that no command writes to memory any more."""
        self._handle = None

    def _transfer(self, command: Any, slot: int, memory: memoryview) -> None:
        try:
            cookie = command(memory, slot * self._page_bytes)
            self._await(lambda: self._handle.aio_command_completed(cookie))
        except (OSError, nbd.Error) as error:
            raise LenderLost(f"the lender {self.name} does not respond: {error}") from error

    def _await(self, is_done: Any) -> None:
        end = time.monotonic() + RESPONSE_SECONDS
        while not is_done():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no response in {RESPONSE_SECONDS:g} s")
            if self._handle.aio_is_dead() or self._handle.aio_is_closed():
                raise ConnectionError("the connection has ended")
            self._handle.poll(max(1, int(left * 1000)))

"""Sums gradients over all workers of a job through the aggregators of Spur. One file, no dependencies.

    aggregation = spur.aggregation.connect()
    while training:
        gradient = aggregation.sum(gradient)

Each worker calls `sum` equally often with equally many numbers. The sum over all is added in the order of ranks.
"""

from __future__ import annotations

import array
import json
import os
import select
import socket
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import Any, Optional, Union

__all__ = ["Aggregation", "GenerationOver", "connect"]

# Limits of waiting, in seconds: for a part of a sum; for the other workers at the end; for aggregators of a platform.
PATIENCE_SECONDS, CLOSE_SECONDS, PLACE_SECONDS = 120, 5, 600
# Time between two reads of the addresses, and between two requests to the service, while a sum waits.
LOOK_SECONDS, ASK_SECONDS = 0.2, 2

_HEAD = struct.Struct("<BIQBI")
_SUM, _KNOWN, _ELSEWHERE, _OVER, _WRONG = 1, 2, 3, 4, 5


class GenerationOver(Exception):
    """The job has another allocation: this process is one of the old one, and should end."""


def connect(seconds: float = PLACE_SECONDS) -> Optional[Aggregation]:
    """The aggregation of this process; None for a job without aggregators, and outside Spur. Waits for `seconds`."""
    environment = os.environ
    rank, world = int(environment.get("RANK", 0)), int(environment.get("WORLD_SIZE", 1))
    if environment.get("SPUR_AGGREGATORS"):
        places: _Places = _FilePlaces(environment["SPUR_AGGREGATORS"])
        return Aggregation(environment["SPUR_JOB"], int(environment["SPUR_GENERATION"]), rank, world, places)
    if environment.get("SPUR_SERVICE") and environment.get("SPUR_JOB_KEY"):
        run = environment.get("SPUR_RUN") or environment.get("DET_ALLOCATION_ID", "")
        served = _ServedPlaces(environment["SPUR_SERVICE"], environment["SPUR_JOB_KEY"], run)
        known = served.wait(world, seconds)
        if known["strategy"] == "PARAMETER_SERVER":
            return Aggregation(known["jobId"], known["generation"], rank, world, served)
    return None


class _FilePlaces:
    """Where shards are summed, as an agent writes it."""

    patience: float = PATIENCE_SECONDS

    def __init__(self, file: str) -> None:
        self._file = file

    def now(self, waiting: bool) -> dict[int, Optional[str]]:
        """By shard, where it is summed; None for one that has no place yet."""
        with open(self._file, encoding="ascii") as file:
            return {int(shard): place for shard, place in json.load(file).items()}


class _ServedPlaces:
    """Addresses of the aggregators, as the service reports them to a job that a platform runs."""

    patience: float = PLACE_SECONDS

    def __init__(self, service: str, key: str, run: str) -> None:
        query = urllib.parse.urlencode({"run": run})
        self._url = f"{service.rstrip('/')}/keyed/aggregation/{urllib.parse.quote(key)}/shard-locations?{query}"
        self._places: dict[int, Optional[str]] = {}
        self._asked: float = -ASK_SECONDS

    def wait(self, world: int, seconds: float) -> dict[str, Any]:
        """Returns the addresses once the service has observed this run, which takes some seconds."""
        end = time.monotonic() + seconds
        while True:
            known = self._ask()
            if known and known["generation"] is not None and known["strategy"] is not None:
                if known["strategy"] == "PARAMETER_SERVER" and known["workers"] != world:
                    raise ConnectionError(
                        f"{world} processes, where one for each of {known['workers']} slots is expected"
                    )
                return known
            if time.monotonic() > end:
                raise TimeoutError(
                    f"the service at {self._url.partition('/keyed')[0]} has not registered this run after {seconds:g} s"
                )
            time.sleep(ASK_SECONDS)

    def now(self, waiting: bool) -> dict[int, Optional[str]]:
        """Returns by shard the address of its aggregator; None without one yet. Only a wait causes a request."""
        if waiting and time.monotonic() - self._asked >= ASK_SECONDS:
            self._ask()
        return self._places

    def _ask(self) -> Optional[dict[str, Any]]:
        """The answer; None while there is none."""
        self._asked = time.monotonic()
        try:
            with urllib.request.urlopen(self._url, timeout=10) as answer:
                known: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in (400, 404):
                raise ConnectionError(f"the service does not know the key: {error}") from error
            return None
        except (OSError, ValueError):
            return None
        if known["shards"]:
            self._places = {shard: None for shard in range(known["shards"])}
            for one in known["aggregators"]:
                self._places.update({shard: f"{one['address']}:{one['port']}" for shard in one["shards"]})
        return known


_Places = Union[_FilePlaces, _ServedPlaces]
_Frame = tuple[int, int, int, bytes]


class Aggregation:
    """Use connect(). For one thread."""

    def __init__(self, job: str, generation: int, rank: int, world: int, places: _Places) -> None:
        self.rank = rank
        self.world = world
        name = job.encode()
        self._hello = b"SPRA" + struct.pack(f"<BH{len(name)}sQII", 1, len(name), name, generation, rank, world)
        self._where = places
        self._links: dict[str, _Link] = {}
        self._step = -1
        self._last: tuple[int, dict[int, bytes]] = 0, {}

    def sum(self, values: Iterable[float], typecode: str = "d") -> array.array[float]:
        """The sum of `values` over all workers, as an array.array: typecode d has 8 bytes per number, f has 4.

        Raises GenerationOver, TimeoutError, or ConnectionError where workers contradict each other.
        """
        own = (
            values if isinstance(values, array.array) and values.typecode == typecode else array.array(typecode, values)
        )
        self._step += 1
        return self._sum(own, self._where.patience)

    def _sum(self, own: array.array[float], patience: float) -> array.array[float]:
        places = self._where.now(False)
        cuts = [len(own) * shard // len(places) for shard in range(len(places) + 1)]
        parts = {shard: _bytes(own[cuts[shard] : cuts[shard + 1]]) for shard in range(len(places))}
        sums = self._exchange(parts, own.itemsize, patience)
        self._last = own.itemsize, sums
        total: array.array[float] = array.array(own.typecode)
        for shard in range(len(places)):
            total.frombytes(sums[shard])
        if sys.byteorder == "big":
            total.byteswap()
        return total

    def close(self) -> None:
        """Waits until every worker has the last sum: while a shard moves, one may need it from another."""
        try:
            self._step += 1
            self._sum(array.array("d"), CLOSE_SECONDS)
        except (GenerationOver, OSError, ValueError):
            pass  # the others have gone already
        finally:
            self._end()

    def _end(self) -> None:
        for link in self._links.values():
            link.end()
        self._links = {}

    def __enter__(self) -> Aggregation:
        return self

    def __exit__(self, failure: Any, *_: Any) -> None:
        if failure is None:
            self.close()
        else:
            self._end()

    def _exchange(self, parts: dict[int, bytes], width: int, patience: float) -> dict[int, bytes]:
        """Sends the parts, again if need be, until the sum of each shard has come."""
        sums: dict[int, bytes] = {}
        sent: dict[int, Optional[str]] = {}
        end = time.monotonic() + patience
        waits = False
        while len(sums) < len(parts):
            places = self._where.now(waits)
            for shard, part in parts.items():
                place = places.get(shard)
                if shard not in sums and place is not None and sent.get(shard) != place:
                    sent[shard] = self._send(place, _SUM, shard, self._step, width, part)
            before = len(sums), len(sent)
            for place, frame in self._receive():
                self._take(place, frame, sums, sent)
            waits = len(sums) == before[0]
            if not waits:
                end = time.monotonic() + patience
            elif time.monotonic() > end:
                raise TimeoutError(f"step {self._step}: no answer for shards {sorted(set(parts) - set(sums))}")
            if len(sent) < before[1]:
                # The shards have moved, or have not arrived yet: the file or the aggregator reports the new place.
                time.sleep(LOOK_SECONDS)
            lost = {place for place, link in self._links.items() if link.ended}
            sent = {shard: place for shard, place in sent.items() if place not in lost}
            self._links = {place: link for place, link in self._links.items() if not link.ended}
        return sums

    def _take(self, place: str, frame: _Frame, sums: dict[int, bytes], sent: dict[int, Optional[str]]) -> None:
        kind, shard, step, payload = frame
        if kind == _OVER:
            raise GenerationOver("a later generation of the job has begun")
        if kind == _KNOWN and step == self._step - 1 and shard in self._last[1]:
            self._send(place, _KNOWN, shard, step, self._last[0], self._last[1][shard])
        elif step == self._step and kind == _SUM:
            sums[shard] = payload
        elif step == self._step and kind == _ELSEWHERE and sent.get(shard) == place:
            del sent[shard]
        elif step == self._step and kind == _WRONG and sent.get(shard) == place:
            raise ConnectionError(f"step {step}: what rank {self.rank} sent contradicts what others sent")

    def _send(self, place: str, kind: int, shard: int, step: int, width: int, payload: bytes) -> Optional[str]:
        """The place if the frame is on its way, else None."""
        if place not in self._links:
            self._links[place] = _Link(place, self._hello)
        link = self._links[place]
        link.send(_HEAD.pack(kind, shard, step, width, len(payload) // width), payload)
        return None if link.ended else place

    def _receive(self) -> list[tuple[str, _Frame]]:
        """Returns the frames received until a short timeout: (place, (kind, shard, step, payload)) of each frame."""
        sockets = {link.socket: (place, link) for place, link in self._links.items() if link.socket and not link.ended}
        ready = select.select(list(sockets), [], [], LOOK_SECONDS)[0] if sockets else []
        if not sockets:
            time.sleep(LOOK_SECONDS)
        return [(place, frame) for place, link in (sockets[end] for end in ready) for frame in link.receive()]


class _Link:
    """A connection. Once it has ended, another one has to be made."""

    def __init__(self, place: str, hello: bytes) -> None:
        host, _, port = place.rpartition(":")
        self.ended = False
        self.socket: Optional[socket.socket] = None
        self._data = bytearray()
        try:
            self.socket = socket.create_connection((host, int(port)), timeout=5)
            self.socket.settimeout(PATIENCE_SECONDS)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(hello)
        except OSError:
            self.end()

    def send(self, *pieces: bytes) -> None:
        try:
            for piece in pieces:
                if self.socket is not None and not self.ended:
                    self.socket.sendall(piece)
        except OSError:
            self.end()

    def receive(self) -> list[_Frame]:
        """The complete frames that have come."""
        try:
            more = self.socket.recv(1 << 20) if self.socket else b""
        except OSError:
            more = b""
        if not more:
            self.end()
        self._data += more
        frames = []
        while len(self._data) >= _HEAD.size:
            kind, shard, step, width, count = _HEAD.unpack_from(self._data)
            end = _HEAD.size + width * count
            if len(self._data) < end:
                break
            frames.append((kind, shard, step, bytes(self._data[_HEAD.size : end])))
            del self._data[:end]
        return frames

    def end(self) -> None:
        self.ended = True
        if self.socket is not None:
            self.socket.close()


def _bytes(values: array.array[float]) -> bytes:
    """Least significant byte first, whatever the machine."""
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()

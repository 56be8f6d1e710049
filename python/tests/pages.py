"""Measures buffers whose pages move, for `./spur bench pages`: with a lender against the local file alone.

The lender is nbdkit on this machine with TLS, as the agent starts it. A program whose working set is twice its resident
memory reads the pages in order again and again, then reads random pages and writes a quarter of them. `kills` counts
the runs in which every byte is intact after the lender was killed at a random moment.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from spur import memory

GROUP = pathlib.Path("/sys/fs/cgroup/blkio/spur-pages")
MIB = 1 << 20
WRITES = 0.25


@contextlib.contextmanager
def lender(folder, size):
    """The file with the loan of a lender, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    loans = folder / "loans"
    loans.write_text(json.dumps([{"lender": "a", "address": "127.0.0.1", "gib": 1, "port": port}]))
    keys, ready, ciphers = folder / "loans.psk", folder / "ready", folder / "gnutls.conf"
    keys.write_text(f"a:{secrets.token_hex(32)}\n")
    ciphers.write_text("[overrides]\ntls-disabled-cipher = CHACHA20-POLY1305\n")
    ready.unlink(missing_ok=True)
    command = ["nbdkit", "--foreground", "--ipaddr=127.0.0.1", f"--port={port}", f"--pidfile={ready}"]
    command += ["--tls=require", f"--tls-psk={keys}", "memory", f"size={size}"]
    environment = {**os.environ, "GNUTLS_SYSTEM_PRIORITY_FILE": str(ciphers)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        while not ready.exists():
            time.sleep(0.01)
        yield str(loans), process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def limited(folder, operations, mib):
    """Limits the disk of a folder for this process by control groups (version 1): reads and writes, each per second."""
    if not operations:
        yield
        return
    device = os.stat(folder).st_dev
    whole = pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}")
    name = whole.parent if (whole / "partition").exists() else whole
    number = (name / "dev").read_text().strip()
    GROUP.mkdir(exist_ok=True)
    for kind in ("read", "write"):
        (GROUP / f"blkio.throttle.{kind}_iops_device").write_text(f"{number} {operations}")
        (GROUP / f"blkio.throttle.{kind}_bps_device").write_text(f"{number} {mib * MIB}")
    (GROUP / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield
    finally:
        (GROUP.parent / "cgroup.procs").write_text(str(os.getpid()))
        GROUP.rmdir()


def measure(pages, page_bytes, seconds, seed):
    """MiB per second in order, and random accesses per second."""
    choice, buffer, count = random.Random(seed), bytearray(page_bytes), len(pages) // page_bytes
    start, passed = time.monotonic(), 0
    while time.monotonic() - start < seconds:
        pages.readinto(passed % count * page_bytes, buffer)
        passed += 1
    in_order = passed * page_bytes / MIB / (time.monotonic() - start)
    start, accesses = time.monotonic(), 0
    while time.monotonic() - start < seconds:
        at = choice.randrange(count) * page_bytes
        pages.readinto(at, buffer)
        if choice.random() < WRITES:
            pages.write(at, buffer)
        accesses += 1
    return in_order, accesses / (time.monotonic() - start)


def speeds(options, folder):
    print("disk", "page_kib", "access", "file", "range", "lender", "range", "lender_against_file", sep="\t")
    for limit in ((0, 0), (options.iops, options.mib))[: 2 if options.iops else 1]:
        disk = f"{limit[0]} operations and {limit[1]} MiB per s" if limit[0] else "as it is"
        for kib in options.page_kib:
            results = {"file": [], "lender": []}
            for seed in range(options.repeats):
                for place, found in results.items():
                    found.append(speed(options, folder, kib << 10, place, limit, seed))
            for index, access in enumerate(("in order, MiB/s", "random, pages/s")):
                file, far = ([found[index] for found in results[place]] for place in ("file", "lender"))
                gain = statistics.median(far) / statistics.median(file)
                print(disk, kib, access, *summary(file), *summary(far), f"{gain:.2f}", sep="\t", flush=True)


def summary(values):
    return f"{statistics.median(values):.0f}", f"{min(values):.0f} to {max(values):.0f}"


def speed(options, folder, page_bytes, place, limit, seed):
    size, resident = options.working_set_mib * MIB, options.working_set_mib * MIB // 2
    with contextlib.ExitStack() as stack:
        loans = stack.enter_context(lender(folder, size))[0] if place == "lender" else ""
        pages = memory.Pages(size, resident, page_bytes=page_bytes, folder=str(folder), loans=loans)
        stack.enter_context(pages)
        if place == "lender" and pages.missing:
            raise SystemExit(pages.missing)
        content = random.Random(seed).randbytes(MIB)
        for at in range(0, size, MIB):
            pages.write(at, content)
        # the pages that are resident now differ from the file
        for at in range(0, size, MIB):
            pages.read(at, MIB)
        pages.flush()
        stack.enter_context(limited(folder, *limit))
        return measure(pages, page_bytes, options.seconds, seed)


def kills(options, folder):
    print("runs", "intact", "killed_while_pages_moved", sep="\t")
    outcomes = [kill(folder, seed) for seed in range(options.runs)]
    print(len(outcomes), sum(intact for intact, _ in outcomes), sum(moved for _, moved in outcomes), sep="\t")


def kill(folder, seed):
    """Whether every byte was intact, and whether pages had moved to the lender and the program noticed its end."""
    choice, size, page = random.Random(seed), 8 * MIB, 16 << 10
    model = bytearray(size)
    with lender(folder, size) as (loans, process):
        with memory.Pages(size, MIB, page_bytes=page, folder=str(folder), loans=loans) as pages:
            timer = threading.Timer(choice.uniform(0, 0.5), process.kill)
            timer.start()
            end = time.monotonic() + 0.7
            intact = True
            while time.monotonic() < end:
                length = choice.randrange(1, 3 * page)
                at = choice.randrange(size - length)
                intact = intact and pages.read(at, length) == model[at : at + length]
                written = choice.randbytes(length)
                pages.write(at, written)
                model[at : at + length] = written
            timer.join()
            intact = intact and pages.read(0, size) == model
            return intact, pages.moves.to_lenders > 0 and pages.missing is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["speeds", "kills"])
    parser.add_argument("--working-set-mib", type=int, default=64)
    parser.add_argument("--page-kib", type=int, nargs="+", default=[4, 64])
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--iops", type=int, default=3000)
    parser.add_argument("--mib", type=int, default=119)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="spur-pages-") as folder:
        (speeds if options.what == "speeds" else kills)(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()

"""Tests of buffers whose pages move: to a real nbdkit, where it is installed, and to a file."""

import errno
import json
import os
import pathlib
import random
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import pytest

from spur import _lender, _page_file, memory

PAGE = 4096


def nbdkit(folder, name="cpu-2", size="1M"):
    """A lender with its loan and the line of its key."""
    key = f"{name}:{secrets.token_hex(32)}\n"
    keys = folder / f"{name}.keys"
    keys.write_text(key)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["nbdkit", "--foreground", "--ipaddr=127.0.0.1", f"--port={port}", "--tls=require", f"--tls-psk={keys}"]
    process = subprocess.Popen([*command, "memory", f"size={size}"], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.02)
    return process, {"lender": name, "address": "127.0.0.1", "gib": 1, "port": port}, key


class Buffers(unittest.TestCase):
    loans = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.random = random.Random(7)

    def pages(self, size=64 * PAGE, resident=16 * PAGE):
        made = memory.Pages(size, resident, page_bytes=PAGE, folder=str(self.folder), loans=self.loans)
        self.addCleanup(made.close)
        return made

    def change(self, pages, model, times):
        """Random writes, each after a comparison of a random range with the model."""
        for _ in range(times):
            self.compare(pages, model)
            length = self.random.choice([1, 100, PAGE, 3 * PAGE])
            at = self.random.randrange(len(model) - length)
            content = self.random.randbytes(length)
            pages.write(at, content)
            model[at : at + length] = content

    def compare(self, pages, model):
        length = self.random.randrange(1, 2 * PAGE)
        at = self.random.randrange(len(model) - length)
        self.assertEqual(pages.read(at, length), model[at : at + length])


class OnTheFile(Buffers):
    def test_has_every_byte(self):
        pages, model = self.pages(), bytearray(64 * PAGE)

        self.change(pages, model, 500)

        self.assertEqual(pages.read(0, len(pages)), model)
        self.assertGreater(pages.moves.from_file, 0)
        self.assertEqual(pages.moves.to_lenders, 0)

    def test_keeps_no_more_pages_than_stated(self):
        pages = self.pages()

        pages.write(0, self.random.randbytes(len(pages)))

        self.assertEqual(len(pages._resident) + len(pages._file._memory) // PAGE + 2 * 2 * pages._depth, 16)

    def test_says_what_is_missing(self):
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("SPUR_LOANS", None)
            self.assertIn("SPUR_LOANS is not set", self.pages().missing)

    def test_says_that_the_module_is_missing(self):
        self.loans = str(self.folder / "loans")
        cause = "the module nbd is missing"
        with unittest.mock.patch.object(memory, "NBD_ERROR", cause):
            self.assertEqual(self.pages().missing, cause)

    def test_names_all_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, "resident is 1:.*size is 0:"):
            self.pages(0, 1)
        with self.assertRaisesRegex(ValueError, "outside the buffer of 262144 bytes"):
            self.pages().read(64 * PAGE - 1, 2)

    def test_loses_nothing_on_a_broken_disk(self):
        pages, model = self.pages(), bytearray(self.random.randbytes(64 * PAGE))
        pages.write(0, model)
        pages.flush()
        full = unittest.mock.patch.object(os, "pwrite", side_effect=OSError(errno.ENOSPC, "full"))
        retry = unittest.mock.patch.object(_page_file, "_RETRY_SECONDS", 0.01)

        with full, retry, self.assertRaisesRegex(OSError, "full"):
            for page in range(64):
                pages.write(page * PAGE, b"x")
                model[page * PAGE] = ord("x")
        time.sleep(0.2)

        self.assertEqual(pages.read(0, len(pages)), model)

    def test_shows_an_array(self):
        numpy = pytest.importorskip("numpy")
        array = self.pages(1000 * 8, 16 * PAGE).array("f8")
        array[:] = numpy.arange(1000)
        array[-1] = 5

        self.assertEqual(len(array), 1000)
        self.assertEqual(array[500:503].tolist(), [500, 501, 502])
        self.assertEqual(array[999], 5)
        with self.assertRaisesRegex(IndexError, "1000"):
            array[1000]


@unittest.skipUnless(shutil.which("nbdkit"), "nbdkit is missing: apt-get install nbdkit")
@unittest.skipIf(_lender.NBD_ERROR, _lender.NBD_ERROR)
class AtALender(Buffers):
    def setUp(self):
        super().setUp()
        self.loans = str(self.folder / "loans")

    def lend(self, *lenders):
        """Writes the loans of these lenders, which end with the test."""
        for process, _, _ in lenders:
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
        self.replace("loans.psk", "".join(key for _, _, key in lenders))
        self.replace("loans", json.dumps([loan for _, loan, _ in lenders]))

    def replace(self, name, text):
        copy = self.folder / "new"
        copy.write_text(text)
        copy.rename(self.folder / name)

    def test_has_every_byte_and_reads_no_file(self):
        self.lend(nbdkit(self.folder))
        pages, model = self.pages(), bytearray(64 * PAGE)

        self.change(pages, model, 500)

        self.assertIsNone(pages.missing)
        self.assertEqual(pages.read(0, len(pages)), model)
        self.assertGreater(pages.moves.from_lenders, 100)
        self.assertEqual(pages.moves.from_file, 0)

    def test_needs_no_room_for_resident_pages(self):
        # 64 pages, of which 10 are resident; the page that moves in has its room until another has moved out
        self.lend(nbdkit(self.folder, "a", "128K"), nbdkit(self.folder, "b", f"{(64 - 10 - 32 + 1) * 4}K"))
        pages, model = self.pages(), bytearray(self.random.randbytes(64 * PAGE))
        pages.write(0, model)

        for _ in range(3):
            self.assertEqual(pages.read(0, len(pages)), model)

        self.assertEqual(pages.moves.from_file, 0)

    def test_reads_what_does_not_fit_from_the_file(self):
        self.lend(nbdkit(self.folder, size="64K"))
        pages, model = self.pages(), bytearray(64 * PAGE)

        self.change(pages, model, 500)

        self.assertEqual(pages.read(0, len(pages)), model)
        self.assertGreater(pages.moves.from_lenders, 0)
        self.assertGreater(pages.moves.from_file, 0)

    def test_loses_nothing_with_a_killed_lender(self):
        for _ in range(10):
            lender = nbdkit(self.folder)
            self.lend(lender)
            pages, model = self.pages(), bytearray(64 * PAGE)
            self.change(pages, model, self.random.randrange(100, 200))
            lender[0].kill()
            self.change(pages, model, 100)

            self.assertEqual(pages.read(0, len(pages)), model)
            self.assertIn("cpu-2", pages.missing)

    def test_waits_for_a_silent_lender_once(self):
        lender = nbdkit(self.folder)
        self.lend(lender)
        pages, model = self.pages(), bytearray(64 * PAGE)
        self.change(pages, model, 100)
        lender[0].send_signal(signal.SIGSTOP)
        start = time.monotonic()
        with unittest.mock.patch.object(_lender, "RESPONSE_SECONDS", 0.3):
            self.change(pages, model, 100)

        self.assertLess(time.monotonic() - start, 3)
        self.assertIn("no response in 0.3 s", pages.missing)
        self.assertEqual(pages.read(0, len(pages)), model)

    def test_leaves_a_revoked_loan_and_takes_the_next(self):
        lender, other = nbdkit(self.folder), nbdkit(self.folder, "cpu-3")
        self.lend(lender)
        pages, model = self.pages(), bytearray(64 * PAGE)
        self.change(pages, model, 100)
        self.replace("loans", "[]")
        time.sleep(0.25)
        self.change(pages, model, 100)
        self.assertEqual(pages.missing, "the preparation has no loans")
        before = pages.moves.to_lenders
        self.lend(lender, other)
        self.replace("loans", json.dumps([other[1]]))
        time.sleep(0.25)
        self.change(pages, model, 100)

        self.assertIsNone(pages.missing)
        self.assertGreater(pages.moves.to_lenders, before)
        self.assertEqual(pages.read(0, len(pages)), model)

    def test_connects_to_a_lender_that_started_again(self):
        lender = nbdkit(self.folder)
        self.lend(lender)
        pages, model = self.pages(), bytearray(64 * PAGE)
        self.change(pages, model, 100)
        lender[0].kill()
        self.lend(nbdkit(self.folder))
        time.sleep(0.25)
        self.change(pages, model, 100)

        self.assertIsNone(pages.missing)
        self.assertEqual(pages.read(0, len(pages)), model)

    def test_is_refused_without_the_key(self):
        self.lend(nbdkit(self.folder))
        self.replace("loans.psk", f"cpu-2:{secrets.token_hex(32)}\n")

        self.assertIn("the lender cpu-2 at 127.0.0.1:", self.pages().missing)


if __name__ == "__main__":
    unittest.main()

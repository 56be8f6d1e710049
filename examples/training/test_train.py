"""Tests of the example training: python3 -m unittest, in this folder. The tests of the agent run them as well."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = 6000


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.processes = []
        self.addCleanup(lambda: [process.kill() for process in self.processes])

    def start(self, generation, world, *options):
        """All ranks of a generation."""
        port = free_port()
        started = []
        for rank in range(world):
            environment = {
                **os.environ,
                "RANK": str(rank),
                "WORLD_SIZE": str(world),
                "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port),
                "SPUR_GENERATION": str(generation),
                "SPUR_CHECKPOINT_DIR": str(self.folder / "checkpoints"),
                "SPUR_REPORT_URL": self.folder.as_uri(),
            }
            words = [sys.executable, str(HERE / "train.py"), "--samples", str(SAMPLES), *options]
            started.append(subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        self.processes += started
        return started

    def run_to_the_end(self, generation, world, *options):
        return [self.wait(process) for process in self.start(generation, world, *options)]

    def wait(self, process):
        process.stderr.read()
        process.stderr.close()
        return process.wait(60)

    def saved(self, generation):
        path = self.folder / "checkpoints" / f"gen-{generation:08d}" / "state.json"
        return json.loads(path.read_text(encoding="ascii")) if path.exists() else None

    def test_the_course_of_the_loss_does_not_depend_on_the_number_of_ranks(self):
        self.assertEqual([0], self.run_to_the_end(1, 1))
        alone = self.saved(1)
        self.folder = self.folder / "gang"
        self.folder.mkdir()
        self.assertEqual([0, 0, 0], self.run_to_the_end(1, 3))
        self.assertEqual(SAMPLES, self.saved(1)["samples"])
        self.assertAlmostEqual(alone["loss"], self.saved(1)["loss"], places=9)

    def test_a_stop_of_one_rank_stops_all_after_a_checkpoint_and_the_next_generation_goes_on_from_there(self):
        ranks = self.start(1, 2, "--milliseconds", "1", "--save-every", "5")
        wait_for(lambda: self.saved(1))
        ranks[1].send_signal(signal.SIGTERM)
        self.assertEqual([0, 0], [self.wait(rank) for rank in ranks])
        between = self.saved(1)["samples"]
        self.assertLess(between, SAMPLES)
        (self.folder / "asked").unlink()
        self.assertEqual([0], self.run_to_the_end(2, 1))
        self.assertEqual(SAMPLES, self.saved(2)["samples"])
        report = json.loads((self.folder / "progress.json").read_text(encoding="utf-8"))
        self.assertEqual(SAMPLES, report["samples"])

    def test_an_older_generation_saves_no_more_once_a_later_one_has_begun(self):
        ranks = self.start(1, 1, "--milliseconds", "1", "--save-every", "5")
        wait_for(lambda: self.saved(1))
        (self.folder / "checkpoints" / "gen-00000002").mkdir()
        self.assertNotEqual(0, self.wait(ranks[0]))

    def test_after_a_crash_it_goes_on_from_the_last_checkpoint(self):
        self.assertEqual([3], self.run_to_the_end(1, 1, "--crash-at", "3000", "--save-every", "10"))
        self.assertLessEqual(2000, self.saved(1)["samples"])
        self.assertEqual([0], self.run_to_the_end(2, 1, "--crash-at", "3000"))
        self.assertEqual(SAMPLES, self.saved(2)["samples"])


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited too long")
        time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()

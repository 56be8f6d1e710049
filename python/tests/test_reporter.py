"""Tests of the reporter: `python3 -m pytest` in the folder `python`."""

import errno
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, PACKAGE)
from spur import reporter as spur_reporter  # pylint: disable=wrong-import-position


class UnderSpur(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

    def reporter(self, samples=0, **environment):
        known = {"SPUR_REPORT_URL": self.folder.as_uri(), "SPUR_GENERATION": "5"}
        return spur_reporter.Reporter({**known, **environment}, samples)

    def written(self):
        return json.loads((self.folder / "progress.json").read_text(encoding="utf-8"))

    def test_samples_are_counted_over_the_whole_job(self):
        reporter = self.reporter(samples=1000)
        reporter.step(samples=64, loss=0.5)
        reporter.step(samples=64, loss=0.25)
        reporter.flush()
        self.assertEqual(1128, self.written()["samples"])
        self.assertEqual(0.25, self.written()["loss"])
        self.assertEqual(5, self.written()["generation"])

    def test_steps_are_measured_from_the_second_on(self):
        reporter = self.reporter()
        reporter.step(samples=1)
        reporter.flush()
        self.assertNotIn("stepSeconds", self.written())
        time.sleep(0.02)
        reporter.step(samples=1)
        reporter.flush()
        self.assertEqual(1, self.written()["steps"])
        self.assertGreaterEqual(self.written()["stepSeconds"], 0.02)

    def test_the_first_step_begins_one_step_before_its_end(self):
        reporter = self.reporter()
        before = time.clock_gettime(time.CLOCK_BOOTTIME)
        time.sleep(0.1)
        reporter.step(samples=1)
        reporter.flush()
        self.assertNotIn("firstStep", self.written())
        time.sleep(0.05)
        reporter.step(samples=1)
        reporter.step(samples=1)
        reporter.flush()
        after = time.clock_gettime(time.CLOCK_BOOTTIME)
        first, last = self.written()["firstStep"], self.written()["lastStep"]
        self.assertLess(before, first)
        self.assertLess(first + 0.1, last)
        self.assertLess(last, after)

    def test_saving_is_no_part_of_a_step(self):
        reporter = self.reporter()
        reporter.step(samples=1)
        time.sleep(0.2)
        reporter.saved()
        reporter.step(samples=1)
        reporter.flush()
        self.assertLess(self.written()["stepSeconds"], 0.2)
        self.assertEqual(1, self.written()["checkpointSamples"])

    def test_the_noise_scale_stays_until_there_is_another(self):
        reporter = self.reporter()
        reporter.step(samples=1, noise_scale=float("inf"))
        reporter.flush()
        self.assertNotIn("noiseScale", self.written())
        reporter.step(samples=1, noise_scale=310)
        reporter.step(samples=1)
        reporter.flush()
        self.assertEqual(310, self.written()["noiseScale"])

    def test_a_loss_that_is_no_number_is_left_out(self):
        reporter = self.reporter()
        reporter.step(samples=1, loss=float("nan"))
        reporter.flush()
        self.assertNotIn("loss", self.written())

    def test_a_full_disk_does_not_end_the_reports(self):
        reporter = self.reporter()
        reporter.step(samples=10_000)
        reporter.flush()
        reporter.restart(samples=64)
        full = OSError(errno.ENOSPC, "No space left on device")
        with unittest.mock.patch("os.replace", side_effect=full):
            reporter.step(samples=1)
            reporter.flush()
        self.assertEqual(65, self.written()["samples"])

    def test_a_full_disk_has_space_for_the_first_report_and_a_stop(self):
        disk = ["mount", "-t", "tmpfs", "-o", "size=16k,nr_inodes=4", "tmpfs", str(self.folder)]
        if subprocess.run(disk, check=False, capture_output=True).returncode != 0:
            self.skipTest("this user must not mount file systems, so no disk is filled")
        self.addCleanup(subprocess.run, ["umount", str(self.folder)], check=True)
        # as the agent prepares it
        (self.folder / "progress.json.new").write_text(" " * 4096, encoding="ascii")
        (self.folder / "asked.new").touch()
        with self.assertRaises(OSError), open(self.folder / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))
        reporter = self.reporter()
        for total in 64, 128:
            reporter.step(samples=64, loss=0.5)
            reporter.flush()
            self.assertEqual(total, self.written()["samples"])
        os.kill(os.getpid(), signal.SIGTERM)
        self.assertTrue(reporter.should_stop())
        self.assertTrue((self.folder / "asked").exists())

    def test_a_stop_that_cannot_be_recorded_is_a_stop(self):
        (self.folder / "asked").mkdir()
        (self.folder / "stop").write_text("why", encoding="ascii")
        self.assertTrue(self.reporter().should_stop())

    def test_only_rank_zero_writes(self):
        reporter = self.reporter(RANK="1")
        reporter.step(samples=64)
        reporter.flush()
        self.assertEqual([], list(self.folder.iterdir()))

    def test_what_was_not_written_yet_is_written_at_the_end_of_the_process(self):
        code = "import spur.reporter as s; r = s.connect(); r.step(samples=1); r.step(samples=2)"
        environment = {**os.environ, "SPUR_REPORT_URL": self.folder.as_uri()}
        subprocess.run([sys.executable, "-c", code], cwd=PACKAGE, env=environment, check=True)
        self.assertEqual(3, self.written()["samples"])

    def test_it_goes_on_until_it_is_told_to_stop(self):
        reporter = self.reporter()
        self.assertFalse(reporter.should_stop())
        self.assertFalse((self.folder / "asked").exists())

    def test_the_agent_says_stop_to_every_rank(self):
        (self.folder / "stop").touch()
        self.assertTrue(self.reporter().should_stop())
        self.assertTrue(self.reporter(RANK="3").should_stop())
        self.assertTrue((self.folder / "asked").exists())

    def test_the_agent_says_stop_in_a_folder_of_its_own(self):
        control = self.folder / "control"
        control.mkdir()
        reporter = self.reporter(SPUR_CONTROL_DIR=str(control))
        (self.folder / "stop").touch()
        self.assertFalse(reporter.should_stop())
        (control / "stop").touch()
        self.assertTrue(self.reporter(SPUR_CONTROL_DIR=str(control)).should_stop())
        self.assertTrue((self.folder / "asked").exists())

    def test_sigterm_says_stop(self):
        reporter = self.reporter()
        self.assertFalse(reporter.should_stop())
        os.kill(os.getpid(), signal.SIGTERM)
        self.assertTrue(reporter.should_stop())
        self.assertTrue((self.folder / "asked").exists())

    def test_a_handler_of_the_training_is_left_alone(self):
        heard = []
        signal.signal(signal.SIGTERM, lambda *_: heard.append("training"))
        reporter = self.reporter()
        os.kill(os.getpid(), signal.SIGTERM)
        self.assertEqual(["training"], heard)
        self.assertFalse(reporter.should_stop())

    @unittest.skipUnless(os.path.exists("/proc/uptime"), "there is no /proc/uptime here")
    def test_a_lapsed_lease_says_stop_without_the_agent(self):
        lease = self.folder / "lease"
        lease.write_text("999999999999\n", encoding="ascii")
        self.assertFalse(self.reporter(SPUR_LEASE_FILE=str(lease)).should_stop())
        lease.write_text("0 999999999999\n", encoding="ascii")
        self.assertFalse(self.reporter(SPUR_LEASE_FILE=str(lease)).should_stop())
        lease.write_text("0 0\n", encoding="ascii")
        self.assertTrue(self.reporter(SPUR_LEASE_FILE=str(lease)).should_stop())

    def test_trouble_is_told_once_and_never_raised(self):
        code = (
            "import spur.reporter as s; r = s.connect()\n"
            "for _ in range(3): r.step(samples=1); r.flush()\n"
            "print(r.should_stop())"
        )
        environment = {**os.environ, "SPUR_REPORT_URL": "file:///no/such/folder"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=PACKAGE, env=environment, check=True, capture_output=True, text=True
        )
        self.assertEqual("False\n", done.stdout)
        self.assertEqual(1, done.stderr.count("spur.reporter:"))


class OutsideSpur(unittest.TestCase):
    def test_it_does_nothing(self):
        handler = signal.getsignal(signal.SIGTERM)
        reporter = spur_reporter.Reporter({})
        reporter.step(samples=64, loss=1.0)
        reporter.saved()
        reporter.flush()
        self.assertFalse(reporter.should_stop())
        self.assertEqual(handler, signal.getsignal(signal.SIGTERM))


if __name__ == "__main__":
    unittest.main()

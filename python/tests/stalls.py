"""Measures the stall of each kind of change on this machine, for `./spur bench stalls`. Argument: the repetitions.

The training is tests/elastic.py (a small network, steps of 0.1 s, gloo). The stall of a restart is the time from the
last step before to the first step after it; the ranks are started at once, without an agent. The stalls of the other
changes are those that the reporter measures.
"""

import json
import pathlib
import statistics
import sys
import tempfile
import time

from launch import Job, outputs

BATCH = 48
OPTIONS = ["--epochs", "1000", "--batch", str(BATCH), "--pause", "0.1"]


def running(ranks):
    job = Job(tempfile.mkdtemp())
    processes = job.start(ranks, BATCH // ranks, 1, "--out", str(job.folder / "record"), *OPTIONS)
    while not (job.report / "progress.json").exists():
        time.sleep(0.05)
    time.sleep(1)
    return job, processes


def reported(job, processes):
    while not (job.report / "progress.json").exists() or not job.progress().get("changes"):
        time.sleep(0.1)
    (job.report / "stop").touch()
    outputs(processes)
    return job.progress()["changes"][0]["stallSeconds"]


def rescale(before, after):
    job, processes = running(before)
    ranks = [rank if rank < before else None for rank in range(after)]
    return reported(job, [*processes, *job.rescale(1, ranks, BATCH // after, 1, *OPTIONS)])


def reconfigure(ranks):
    job, processes = running(ranks)
    per_device = BATCH // ranks // 2
    batch = {"perDevice": per_device, "accumulation": 0, "global": per_device * ranks}
    (job.report / "directive").write_text(json.dumps({"batch": batch}), encoding="ascii")
    return reported(job, processes)


def restart(before, after):
    job, processes = running(before)
    (job.report / "stop").touch()
    outputs(processes)
    last = max(record.stat().st_mtime for record in job.folder.glob("record-1-*.jsonl"))
    processes = job.start(after, BATCH // after, 1, "--out", str(job.folder / "record"), *OPTIONS)
    while not any(record.stat().st_size for record in job.folder.glob("record-2-*.jsonl")):
        time.sleep(0.01)
    stall = time.time() - last
    (job.report / "stop").touch()
    outputs(processes)
    return stall


def migrate(before, after):
    job, running_ranks = running(before)
    waiting = job.warm_up(after, BATCH // after, 1, "--out", str(job.folder / "record"), *OPTIONS)
    job.replace(running_ranks)
    return reported(job, waiting)


def main():
    """Prints a table of tab-separated values: one line per change, with the median and the extremes in seconds."""
    repetitions = range(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    print("change\tranks\tmedian\tmin\tmax")
    for before, after in ((1, 2), (2, 1), (2, 4), (4, 2)):
        for kind in (restart, migrate, rescale):
            show(kind.__name__, f"{before} to {after}", [kind(before, after) for _ in repetitions])
    for ranks in (1, 2, 4):
        show("reconfigure", ranks, [reconfigure(ranks) for _ in repetitions])


def show(change, ranks, stalls):
    numbers = (statistics.median(stalls), min(stalls), max(stalls))
    print(change, ranks, *(f"{number:.3f}" for number in numbers), sep="\t", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    main()

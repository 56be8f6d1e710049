"""Measures the stall of each kind of change on this machine: `python3 python/tests/stalls.py [REPETITIONS]`.

The training is tests/elastic.py (a small network, steps of 0.1 s, gloo). The stall of a restart is the time from the
last step before to the first step after it; the ranks are started at once, without an agent. The stalls of the other
changes are those that the reporter measures.
"""

import json
import pathlib
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
    while not job.progress().get("changes"):
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


def main():
    repetitions = range(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    print("| ranks | restart, s | rescale, s |\n| --- | --- | --- |")
    for before, after in ((1, 2), (2, 1), (2, 4), (4, 2)):
        cells = [", ".join(f"{kind(before, after):.2f}" for _ in repetitions) for kind in (restart, rescale)]
        print(f"| {before} to {after} | {cells[0]} | {cells[1]} |", flush=True)
    for ranks in (1, 2, 4):
        print(f"reconfigure on {ranks} ranks, s:", ", ".join(f"{reconfigure(ranks):.3f}" for _ in repetitions))


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    main()

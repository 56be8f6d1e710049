#!/usr/bin/env python3
"""Kinds of jobs on real agents: shares of a device, roles, an array, and time limits (see README.md).

usage: python3 benchmarks/physical/jobs.py [--case shares --case roles] [--out FOLDER]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "training"))
from local_cluster import ENDED, REPOSITORY, LocalCluster, Unexpected, python_with_torch, run_until_end  # noqa: E402
from record import read_record  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PACED = REPOSITORY / "examples" / "training" / "paced.py"
BATCH, SLOTS, TASKS, LIMIT = 16, 8, 200, 6
STEP_SECONDS = 0.2
"""Time for which a step occupies the stated device."""


class Cluster(LocalCluster):
    """The node `shared` with one device for several jobs, and the node `whole` with eight devices. Both state a CPU."""

    def __init__(self, options):
        super().__init__(str(REPOSITORY / "spur"), pathlib.Path(options.out).resolve())
        self.options = options

    def start_all(self):
        self.start_service({"SPUR_ETAS_ENABLED": "false"}, roundSeconds=5, earlyRoundSeconds=1)
        self.start_agent("shared", 1, "--share-gpus", "--cpus", "1", "--memory-gib", "2")
        self.start_agent("whole", SLOTS, "--cpus", "1", "--memory-gib", "4")

    def spur_command(self, *words):
        """Runs a command of `./spur` against the service, and returns its output."""
        variables = {**os.environ, "SPUR_URL": self.address}
        run = subprocess.run([self.spur, *words], env=variables, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise Unexpected(f"spur {' '.join(words)}: {run.stdout}{run.stderr}")
        return run.stdout

    def submit(self, name, *words):
        """Submits a job by `./spur submit`, and returns its id, or that of the array."""
        return json.loads(self.spur_command("submit", "--name", name, "--output", "json", *words))["id"]

    def training(self, name, samples, *options):
        """Returns the words of a training of paced.py that records its steps under `name`."""
        words = ["--", self.options.python, "-B", str(PACED), "mlp", "--samples", str(samples), "--batch", str(BATCH)]
        return [*words, "--record", str(self.record_of(name)), "--per-pass", str(STEP_SECONDS), *options]

    def record_of(self, name):
        return self.folder / f"{name}.jsonl"

    def steps(self, name):
        return [line for line in read_record(self.record_of(name)) if "loss" in line]

    def await_steps(self, name, count):
        self.await_that(lambda: len(self.steps(name)) >= count, f"{count} steps of {name}", seconds=self.options.limit)

    def await_end(self, job, state="DONE"):
        self.await_that(lambda: self.state(job) in ENDED, f"the end of {job}", seconds=self.options.limit)
        if self.state(job) != state:
            raise Unexpected(f"job {job} ended as {self.state(job)} instead of {state}")


def share(cluster):
    """Two trainings on one device, the second one a while after the first one."""
    enforced = cluster.printed("shared", r"jobs with a share run on one device[^\n]*")
    jobs = {}
    for name, samples in {"share-1": 250 * BATCH, "share-2": 75 * BATCH}.items():
        words = cluster.training(name, samples, "--turns", str(cluster.folder / "devices"))
        jobs[name] = cluster.submit(name, "--gpu-share", "0.5", "--batch", str(BATCH), *words)
        cluster.await_steps(name, 30)
    held = [cluster.job(job)["allocation"]["placement"] for job in jobs.values()]
    for job in jobs.values():
        cluster.await_end(job)
    first, second = (cluster.steps(name) for name in jobs)
    begin, end = second[0]["at"], min(first[-1]["at"], second[-1]["at"])
    parts = [device_part(steps, begin, end) for steps in (first, second)]
    alone = [steps for steps in first if steps["at"] < begin]
    together = [steps for steps in first if begin <= steps["at"] <= end]
    return {
        "enforcement": enforced,
        "devices held": [piece[0]["devices"] for piece in held],
        "device time of each, while both train": [f"{part:.1%}" for part in parts],
        "step of the first alone, s": round(step_seconds(alone), 3),
        "step of the first together, s": round(step_seconds(together), 3),
    }


def device_part(steps, begin, end):
    """Part of the time in which the process of `steps` held the device."""
    own = [step for step in steps if begin <= step["at"] <= end]
    return (own[-1]["deviceSeconds"] - own[0]["deviceSeconds"]) / (own[-1]["at"] - own[0]["at"])


def step_seconds(steps):
    """Median duration of a step, after the first five."""
    return statistics.median(later["at"] - before["at"] for before, later in zip(steps[5:], steps[6:]))


def roles(cluster):
    """A trainer of two ranks and an evaluator on a CPU: they start and end together."""
    evaluated = cluster.record_of("evaluated")
    evaluator = f"{cluster.options.python} -B {HERE / 'evaluate.py'} mlp --record {evaluated}"
    job = cluster.submit(
        "gang", "--gpus", "2", "--batch", str(BATCH), "--only-nodes", "whole", "--role", "evaluator:cpus=0.5,memory=1",
        "--role-command", f"evaluator={evaluator}", *cluster.training("gang", 120 * BATCH, "--save-every", "4"),
    )
    cluster.await_end(job)
    # an evaluator that outlives its trainer would keep its CPUs
    cluster.await_that(lambda: not processes_with(str(evaluated)), "the end of the evaluator")
    losses = read_record(evaluated)
    return {
        "ranks": cluster.steps("gang")[-1]["ranks"],
        "checkpoints evaluated": len(losses),
        "devices of the evaluator": sorted({line["devices"] for line in losses}),
        "test loss, first and last checkpoint": [round(line["testLoss"], 3) for line in (losses[0], losses[-1])],
    }


def processes_with(argument):
    """Returns the ids of the processes whose command line contains `argument`."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            pass
    return found


def array(cluster):
    """200 short jobs, at most 6 at a time."""
    done = cluster.folder / "tasks.txt"
    task = f"echo $SPUR_ARRAY_INDEX $(date +%s.%N) >> {done}; sleep 1; echo $SPUR_ARRAY_INDEX $(date +%s.%N) >> {done}"
    name = cluster.submit(
        "tasks", "--array", f"0-{TASKS - 1}%{LIMIT}", "--gpus", "1", "--only-nodes", "whole", "--", "/bin/sh", "-c", task
    )
    cluster.await_that(
        lambda: cluster.call("GET", f"/arrays/{name}")["states"].get("DONE", 0) == TASKS, "the array", seconds=cluster.options.limit
    )
    lines = [line.split() for line in done.read_text(encoding="ascii").splitlines()]
    times = {}
    for index, at in lines:
        times.setdefault(int(index), []).append(float(at))
    if sorted(times) != list(range(TASKS)) or any(len(own) != 2 for own in times.values()):
        raise Unexpected(f"not each of the {TASKS} indices ran once: {times}")
    moments = sorted([(own[0], 1) for own in times.values()] + [(own[1], -1) for own in times.values()])
    at_once = most = 0
    for _, change in moments:
        at_once += change
        most = max(most, at_once)
    return {
        "indices that ran once": len(times),
        "at most at a time": most,
        "seconds from the first start to the last end": round(moments[-1][0] - moments[0][0], 1),
    }


def limit(cluster):
    """A job whose limit ends it, its retry from the kept checkpoint, and a job whose limit requeues it."""
    samples = 120 * BATCH
    kept = cluster.folder / "kept"
    words = ["--gpus", "1", "--batch", str(BATCH), "--only-nodes", "whole", "--checkpoints", str(kept)]
    job = cluster.submit("limited", *words, "--time", "0:20", *cluster.training("limited", samples))
    cluster.await_end(job, "FAILED")
    before = len(cluster.steps("limited"))
    saved = sorted(str(file.relative_to(kept)) for file in kept.rglob("state.pt"))
    if not saved:
        raise Unexpected(f"the job left no checkpoint in {kept}")
    cause = [event for event in cluster.call("GET", f"/jobs/{job}/events?limit=500")["items"] if event["kind"] == "FAILED"]
    again = json.loads(cluster.spur_command("retry", job, "--output", "json"))["id"]
    cluster.await_that(lambda: len(cluster.steps("limited")) > before, "steps of the retry", seconds=cluster.options.limit)
    # on a slow machine the retry reaches its limit as well
    cluster.await_that(lambda: cluster.state(again) in ENDED, "the end of the retry", seconds=cluster.options.limit)

    requeued = cluster.folder / "requeued.yaml"
    requeued.write_text("spec:\n  timeLimit: {seconds: 15, per: START, onLimit: REQUEUE}\n", encoding="ascii")
    words = ["--gpus", "1", "--batch", str(BATCH), "--only-nodes", "whole", "--file", str(requeued)]
    other = cluster.submit("requeued", *words, *cluster.training("requeued", samples))
    cluster.await_end(other)
    starts = sorted({step["generation"] for step in cluster.steps("requeued")})
    return {
        "cause of the end": cause[-1].get("detail"),
        "checkpoints kept": saved,
        "steps before the limit, and in all after the retry": [before, len(cluster.steps("limited"))],
        "requeued: starts": len(starts),
        "requeued: steps": len(cluster.steps("requeued")),
        "requeued: events": [kind for kind in cluster.events(other) if kind in ("STARTED", "REQUEUED", "DONE")],
    }


CASES = {"shares": share, "roles": roles, "array": array, "limit": limit}


def main():
    parser = argparse.ArgumentParser(description="Kinds of jobs on real agents.")
    parser.add_argument("--case", action="append", choices=CASES, help="a case to run; repeatable (default: all)")
    parser.add_argument("--limit", type=float, default=600, help="maximum seconds of a wait (default: %(default)s)")
    parser.add_argument("--out", default="target/physical/jobs", help="folder of all files (default: %(default)s)")
    options = parser.parse_args()
    options.python = python_with_torch() or sys.exit("PyTorch is missing: apt-get install python3-torch, or pip install torch.")
    subprocess.run([str(REPOSITORY / "spur"), "version"], check=True, stdout=subprocess.DEVNULL)
    cluster = Cluster(options)

    def run():
        cluster.start_all()
        for case in options.case or CASES:
            cluster.say(f"{case}: {CASES[case].__doc__}")
            for name, value in CASES[case](cluster).items():
                cluster.say(f"  {name}: {value}")

    run_until_end(cluster, run)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Six real trainings with parameter servers on two agents: with aggregators of their own, and with shared ones (see README.md).

usage: python3 benchmarks/physical/aggregators.py [--steps 60] [--out FOLDER]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "training"))
from local_cluster import ENDED, REPOSITORY, LocalCluster, Unexpected, python_with_torch, run_until_end  # noqa: E402
from record import read_record  # noqa: E402

TRAINING = REPOSITORY / "examples" / "training" / "paced.py"
JOBS, RANKS, BATCH, CPUS = 6, 2, 16, 0.25
BYTES = 4 * (16 * 1024 + 1024 + 1024 * 1024 + 1024 + 1024 * 10 + 10)
"""Gradient bytes of the model `wide-mlp` of paced.py."""

CASES = {
    "own": (False, 3 * CPUS),
    "own, few CPUs": (False, CPUS),
    "shared, few CPUs": (True, CPUS),
}
"""Whether jobs share aggregators, and the aggregation slots of each of two nodes."""


class Cluster(LocalCluster):
    """Two agents with six stated slots each."""

    def __init__(self, options, case):
        super().__init__(str(REPOSITORY / "spur"), pathlib.Path(options.out).resolve() / case.replace(", ", "-").replace(" ", "-"))
        self.options = options
        self.shared, self.slots = CASES[case]
        self.layouts = []

    def start_all(self):
        self.start_service({"SPUR_ETAS_ENABLED": "false"}, roundSeconds=5, earlyRoundSeconds=1)
        settings, tag = self.call("GET", "/settings", want_tag=True)
        settings["planning"]["aggregation"]["shared"] = self.shared
        self.call("PUT", "/settings", settings, {"If-Match": tag})
        for node in ("left", "right"):
            self.start_agent(node, JOBS, "--aggregation-slots", str(self.slots))

    def submit(self, number):
        speed = BATCH / self.options.step_seconds
        words = ["-B", str(TRAINING), "wide-mlp", "--seed", str(number), "--samples", str(BATCH * self.options.steps)]
        words += ["--batch", str(BATCH), "--per-pass", str(self.options.step_seconds), "--record", str(self.record_of(number))]
        point = {"acceleratorType": "stated", "slots": RANKS, "nodes": 1, "batchSize": BATCH, "samplesPerSecond": speed}
        spec = {
            "work": {"unit": "SAMPLES", "amount": BATCH * self.options.steps},
            "elasticity": {"minSlots": RANKS, "maxSlots": RANKS},
            "synchronization": {
                "allReduce": False, "parameterServer": True,
                "minAggregationSlots": CPUS, "maxAggregationSlots": CPUS, "gradientBytes": BYTES,
            },
            "batch": {"initial": BATCH, "min": BATCH, "max": BATCH, "maxPerDevice": BATCH},
            "profile": {"points": [{**point, "strategy": "PARAMETER_SERVER", "aggregationSlots": CPUS}]},
        }
        command = {"program": self.options.python, "args": words, "env": {"OMP_NUM_THREADS": "1"}}
        return self.call("POST", "/jobs", {"owner": "benchmark", "name": f"job-{number}", "command": command, "spec": spec})["id"]

    def record_of(self, number):
        return self.folder / f"{number}.jsonl"

    def observe(self, jobs):
        """Keeps a layout of aggregators, and the learned loads, while the largest number of jobs trains."""
        steps = [read_record(self.record_of(number)) for number in range(len(jobs))]
        training = [number for number, lines in enumerate(steps) if len(lines) > 10 and "samples" not in lines[-1]]
        if training:
            aggregators = self.call("GET", "/aggregators")["items"]
            loads = {jobs[number]: self.call("GET", f"/jobs/{jobs[number]}/aggregation") for number in training}
            self.layouts.append((len(training), aggregators, loads))


def run(cluster):
    cluster.start_all()
    began = time.time()
    jobs = [cluster.submit(number) for number in range(JOBS)]
    while True:
        states = [cluster.state(job) for job in jobs]
        if all(state in ENDED for state in states):
            break
        if time.time() - began > cluster.options.limit:
            raise Unexpected(f"the jobs did not end within {cluster.options.limit} s: {states}")
        cluster.observe(jobs)
        time.sleep(2)
    if any(state != "DONE" for state in states):
        raise Unexpected(f"the jobs ended as {states}")
    return result(cluster, jobs, began)


def result(cluster, jobs, began):
    records = [[line for line in read_record(cluster.record_of(number)) if "loss" in line] for number in range(JOBS)]
    # the last layout of the most jobs at a time: its loads are of the most reports
    most = max(count for count, *_ in cluster.layouts)
    _, aggregators, loads = [layout for layout in cluster.layouts if layout[0] == most][-1]
    served = [each for each in aggregators if any(shards["jobId"] in loads for shards in each["shardsByJob"])]
    measured = [each["utilization"] for each in served if each["utilization"] is not None]
    return {
        "at once": most,
        "CPUs": sum(each["cpus"] for each in served),
        "utilization": statistics.mean(measured) if measured else None,
        "predicted": predicted_stalls(served, loads, cluster.options.step_seconds),
        "stepSeconds": [median_step(steps) for steps in records],
        "jct": statistics.mean(steps[-1]["at"] - began for steps in records),
        "makespan": max(steps[-1]["at"] for steps in records) - began,
    }


def median_step(steps):
    """Median duration of a step, after the first five."""
    return statistics.median(later["at"] - before["at"] for before, later in zip(steps[5:], steps[6:]))


def predicted_stalls(aggregators, loads, step_seconds):
    """Expected stall of each job, a fraction of its step, by the measured loads (docs/model/packing.md)."""
    stalls = dict.fromkeys(loads, 0)
    for each in aggregators:
        busy = {shards["jobId"]: load_of(loads, shards, each) for shards in each["shardsByJob"] if shards["jobId"] in loads}
        for job in busy:
            others = sum(share * share * step_seconds / 2 for other, share in busy.items() if other != job)
            stalls[job] = max(stalls[job], others / step_seconds)
    return statistics.mean(stalls.values())


def load_of(loads, shards, aggregator):
    """Part of the time in which an aggregator works for a job."""
    known = loads[shards["jobId"]]
    load = known["measuredLoad"] if known["measuredLoad"] is not None else known["expectedLoad"]
    held = sum(len(one["shards"]) for one in known["aggregators"])
    return load * len(shards["shards"]) / held / aggregator["cpus"]


def table(results):
    lines = [
        "| aggregators | CPUs per node | jobs at once | CPUs of aggregators | busy | step, median (s) | stall | predicted | mean JCT (s) | makespan (s) |",
        "| --- " * 10 + "|",
    ]
    alone = statistics.mean(results["own"]["stepSeconds"])
    for case, found in results.items():
        step = statistics.mean(found["stepSeconds"])
        busy = "-" if found["utilization"] is None else f"{found['utilization']:.1%}"
        cells = [case, f"{CASES[case][1]:g}", f"{found['at once']}", f"{found['CPUs']:g}", busy, f"{step:.3f}", f"{step / alone - 1:+.1%}"]
        cells += [f"{found['predicted']:.2%}", f"{found['jct']:.1f}", f"{found['makespan']:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Real trainings with aggregators of their own, and with shared ones.")
    parser.add_argument("--steps", type=int, default=60, help="steps of each job (default: %(default)s)")
    parser.add_argument("--step-seconds", type=float, default=0.8, help="stated duration of a step (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=900, help="maximum seconds of a run (default: %(default)s)")
    parser.add_argument("--out", default="target/physical/aggregators", help="folder of all files (default: %(default)s)")
    options = parser.parse_args()
    options.python = python_with_torch() or sys.exit("PyTorch is missing: apt-get install python3-torch, or pip install torch.")
    subprocess.run([str(REPOSITORY / "spur"), "version"], check=True, stdout=subprocess.DEVNULL)
    results = {}
    for case in CASES:
        print(f"aggregators: {case}", flush=True)
        cluster = Cluster(options, case)
        run_until_end(cluster, lambda: results.update({case: run(cluster)}))  # noqa: B023
        print(json.dumps(results[case]), flush=True)
    print(f"\n{table(results)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trainings on two nodes, planned by Spur, from an empty cluster to the last sample. Everything is real but the accelerators.

Where a Python has PyTorch, torch_demo.py runs. Otherwise, and with --built-in, it starts a service and the agents of two
nodes with two stated slots each, and submits three elastic jobs (see train.py). It changes the cluster while they run, so
that jobs start, grow, shrink, move and end. Then it compares the results: every job must have processed its number of
samples, with the loss of a run without Spur. The exit code is 0 if both hold. With --gpu, gpu_demo.py runs.

usage: ./spur demo-training [--keep FOLDER] [--built-in | --gpu]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from gpu_demo import GpuDemo, require_gpu
from local_cluster import REPOSITORY, LocalCluster, Unexpected, python_with_torch, run_until_end
from torch_demo import TorchDemo

HERE = pathlib.Path(__file__).resolve().parent
AGGREGATING = ("--aggregation-slots", "1")
BATCH = 64
MILLISECONDS = 4


def main():
    options = parse()
    torch = None if options.built_in else python_with_torch()
    if options.gpu:
        require_gpu(torch or sys.executable)
    elif torch is None and not options.built_in:
        print("PyTorch is missing: apt-get install python3-torch, or pip install torch. The small built-in training runs.")
    with tempfile.TemporaryDirectory(prefix="spur-training-") as folder:
        place = pathlib.Path(options.keep or folder).resolve()
        kind = GpuDemo if options.gpu else TorchDemo
        demo = Demo(options.spur, place) if torch is None else kind(options.spur, place, torch)
        run_until_end(demo, demo.run)


def parse():
    parser = argparse.ArgumentParser(prog="spur demo-training", description="Runs small trainings on two nodes under Spur.")
    parser.add_argument("--spur", default=str(REPOSITORY / "spur"), help="the program (default: that of this repository)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep state, logs and checkpoints here")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--built-in", action="store_true", help="the training without PyTorch, also where PyTorch is installed")
    kind.add_argument("--gpu", action="store_true", help="larger trainings with PyTorch on a GPU of this machine")
    return parser.parse_args()


class Demo(LocalCluster):
    def run(self):
        self.start_service(earlyRoundSeconds=1, roundSeconds=5)
        self.start_agent("left", 2, *AGGREGATING)
        long = self.submit("long", slots=(1, 4), samples=16000, served=True)
        self.await_slots(long, 2, "starts on the two slots that there are")
        self.start_agent("right", 2, *AGGREGATING)
        self.await_slots(long, 4, "grows onto the node that has come")
        fixed = self.submit("fixed", slots=(2, 2), samples=6000)
        short = self.submit("short", slots=(1, 1), samples=4000, served=True)
        self.await_running(fixed)
        self.await_running(short)
        self.await_that(lambda: self.together(long, short), "long and short to share an aggregator")
        self.say("long and short have their gradients summed by one aggregator")
        self.await_slots(long, 1, "shrinks, because others need slots")
        node = self.nodes(long)[0]
        self.call("POST", f"/nodes/{node}/drain")
        self.say(f"{node} is drained")
        self.await_that(lambda: node not in self.nodes(long) and self.state(long) == "RUNNING", "long moves")
        self.say(f"long moves to {' and '.join(self.nodes(long))}")
        self.call("POST", f"/nodes/{node}/activate")
        self.say(f"{node} is back")
        for job in (long, fixed, short):
            self.await_state(job, "DONE")
        self.report(long, fixed, short)

    def submit(self, name, slots, samples, served=False):
        """A job that is served has its gradients summed by aggregators, on half of a slot; of 11 numbers of 8 bytes."""
        least, most = slots
        speed = 1000 / MILLISECONDS
        strategy = {"strategy": "PARAMETER_SERVER", "aggregationSlots": 0.5} if served else {"strategy": "ALL_REDUCE"}
        half = {"minAggregationSlots": 0.5, "maxAggregationSlots": 0.5, "gradientBytes": 88}
        job = {
            "owner": "demo",
            "name": name,
            "command": {
                "program": sys.executable,
                "args": [str(HERE / "train.py"), *self.arguments(name, samples), "--milliseconds", str(MILLISECONDS)],
            },
            "spec": {
                "work": {"unit": "SAMPLES", "amount": samples},
                "elasticity": {"minSlots": least, "maxSlots": most},
                "synchronization": {"allReduce": False, "parameterServer": True, **half} if served else {},
                "batch": {"initial": BATCH, "min": BATCH, "max": BATCH, "maxPerDevice": BATCH},
                "profile": {
                    "points": [
                        {
                            "acceleratorType": "stated",
                            "slots": n,
                            "nodes": 1 if n <= 2 else 2,
                            "batchSize": BATCH,
                            **strategy,
                            "samplesPerSecond": 0.95 * n * speed,
                        }
                        for n in range(least, most + 1)
                    ]
                },
                "restartPenaltySeconds": 2,
            },
        }
        found = self.call("POST", "/jobs", job)
        self.say(f"{name} is submitted: {least} to {most} slots, {samples} samples")
        return found["id"]

    @staticmethod
    def arguments(name, samples):
        seed = sum(map(ord, name))
        return ["--samples", str(samples), "--batch", str(BATCH), "--seed", str(seed)]

    def report(self, *jobs):
        self.say("every job is done:")
        for job in jobs:
            found = self.job(job)
            name, asked = found["name"], found["spec"]["work"]["amount"]
            if found["doneSamples"] != asked:
                raise Unexpected(f"{name} did {found['doneSamples']} samples of {asked}")
            ours, alone = self.result(job), self.alone(name, int(asked))
            if abs(ours["loss"] - alone["loss"]) > 1e-9 or ours["samples"] != asked:
                raise Unexpected(f"{name} ended with {ours}, without Spur with {alone}")
            shapes = [shape(held["allocation"]) for held in reversed(self.call("GET", f"/jobs/{job}/allocations")["items"])]
            print(f"  {name}: {asked:.0f} samples, loss {ours['loss']:.9f}, alone {alone['loss']:.9f}")
            print(f"    {', then '.join(shapes)}", flush=True)
        for job in (jobs[0], jobs[2]):
            if not self.was_served(job):
                raise Unexpected(f"job {job} did not use its aggregators")

    def together(self, *jobs):
        """Whether one aggregator sums for all of the jobs."""
        served = [{shards["jobId"] for shards in each["shardsByJob"]} for each in self.aggregators()]
        return any(set(jobs) <= each for each in served)

    def was_served(self, job):
        logs = list(self.folder.glob(f"*/logs/{job}/*-rank-0.log"))
        return logs and all("with aggregators" in log.read_text(encoding="utf-8") for log in logs)

    def result(self, job):
        saved = sorted((self.folder / "checkpoints" / job).glob("gen-*/state.json"))
        return json.loads(saved[-1].read_text(encoding="ascii"))

    def alone(self, name, samples):
        """Runs the training without Spur, on one rank, without interruption."""
        folder = self.folder / "alone" / name
        words = [sys.executable, str(HERE / "train.py"), *self.arguments(name, samples), "--checkpoints", str(folder)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return json.loads((folder / "gen-00000001" / "state.json").read_text(encoding="ascii"))


def shape(allocation):
    if allocation is None:
        return "nothing"
    pieces = allocation["placement"]
    return f"{sum(len(piece['devices']) for piece in pieces)} on {'+'.join(piece['node'] for piece in pieces)}"


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Three trainings on two nodes, planned by Spur, from an empty cluster to the last sample. Everything is real but the accelerators.

It starts a service and the agents of two nodes with two stated slots each, and submits three elastic jobs (see train.py).
It changes the cluster while they run, so that jobs start, grow, shrink, move and end. Then it compares the results: every
job must have processed its number of samples, with the loss of a run without Spur. The exit code is 0 if both hold.

usage: ./spur demo-training [--keep FOLDER]
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE_SECONDS = 180
BATCH = 64
MILLISECONDS = 4


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="spur-training-") as folder:
        demo = Demo(options.spur, pathlib.Path(options.keep or folder).resolve())
        try:
            demo.run()
        except Unexpected as wrong:
            sys.exit(f"FAILED: {wrong}\n{demo.last_words()}")
        finally:
            demo.end()


def parse():
    parser = argparse.ArgumentParser(prog="spur demo-training", description="Runs three trainings on two nodes under Spur.")
    parser.add_argument("--spur", default=str(HERE.parent.parent / "spur"), help="the program (default: that of this repository)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep state, logs and checkpoints here")
    return parser.parse_args()


class Unexpected(Exception):
    """Something is not as it should be."""


class Demo:
    def __init__(self, spur, folder):
        self.spur = spur
        self.folder = folder
        self.processes = []
        self.address = None
        self.began = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)

    def run(self):
        self.start_service()
        self.start_agent("left")
        long = self.submit("long", slots=(1, 4), samples=16000, served=True)
        self.await_slots(long, 2, "starts on the two slots that there are")
        self.start_agent("right")
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

    def start_service(self):
        environment = {
            "SPUR_HOME": str(self.folder / "home"), "SPUR_EXECUTORS_LEASE": "30s", "SPUR_SECURITY_MODE": "local"}
        service = self.start("service", ["serve", "--port", "0"], environment)
        line = self.await_that(lambda: self.printed("service", r"http://127\.0\.0\.1:\d+"), "the service is ready", service)
        self.address = line
        settings, tag = self.call("GET", "/settings", want_tag=True)
        settings["earlyRoundSeconds"] = 1
        settings["roundSeconds"] = 5
        self.call("PUT", "/settings", settings, {"If-Match": tag})
        self.call("PUT", "/tenants/root", {}, {"If-None-Match": "*"}, accept=(201, 412, 428))
        self.say(f"the service is at {self.address}")

    def start_agent(self, node):
        words = ["agent", "--service", self.address, "--node", node, "--slots", "2", "--type", "stated", "--aggregation-slots", "1"]
        words += ["--address", "127.0.0.1", "--state", str(self.folder / node)]
        words += ["--checkpoints", str(self.folder / "checkpoints")]
        self.start(node, words, {})
        self.await_that(lambda: self.call("GET", f"/nodes/{node}", accept=(200, 404)).get("state") == "ACTIVE", f"node {node}")
        self.say(f"node {node} brings 2 slots")

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
            found = self.call("GET", f"/jobs/{job}")
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

    def aggregators(self):
        return self.call("GET", "/plans/current", accept=(200, 404)).get("aggregators", [])

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

    def nodes(self, job):
        allocation = self.call("GET", f"/jobs/{job}")["allocation"]
        return [piece["node"] for piece in allocation["placement"]] if allocation else []

    def state(self, job):
        return self.call("GET", f"/jobs/{job}")["state"]

    def await_state(self, job, state):
        self.await_that(lambda: self.state(job) == state, f"job {job} is {state}")

    def await_running(self, job):
        def runs():
            found = self.call("GET", f"/jobs/{job}")
            return found["observed"] is not None and found["doneSamples"] > 0

        self.await_that(runs, f"job {job} makes progress")

    def await_slots(self, job, slots, words):
        def holds():
            found = self.call("GET", f"/jobs/{job}")
            return found["allocation"] and found["allocation"]["configuration"]["slots"] == slots

        self.await_that(holds, f"{slots} slots for {job}")
        before = self.call("GET", f"/jobs/{job}")
        self.await_that(lambda: self.call("GET", f"/jobs/{job}")["doneSamples"] > before["doneSamples"], "progress of it")
        unit = "slot" if slots == 1 else "slots"
        self.say(f"{before['name']} {words}: {slots} {unit} on {' and '.join(self.nodes(job))}")

    def await_that(self, condition, what, process=None):
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if process is not None and process.poll() is not None:
                raise Unexpected(f"a program has ended while waiting: {what}")
            found = condition()
            if found:
                return found
            time.sleep(0.2)
        raise Unexpected(f"waited too long: {what}")

    def call(self, method, path, body=None, headers=None, accept=(200, 201, 202, 204), want_tag=False):
        request = urllib.request.Request(
            f"{self.address}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, tag, text = answer.status, answer.headers.get("ETag"), answer.read()
        except urllib.error.HTTPError as refused:
            status, tag, text = refused.code, None, refused.read()
        if status not in accept:
            raise Unexpected(f"{method} {path}: {status} {text.decode()}")
        found = json.loads(text) if text else {}
        return (found, tag) if want_tag else found

    def start(self, name, words, environment):
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [self.spur, *words], env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT
            )
        self.processes.append(process)
        return process

    def printed(self, name, pattern):
        found = re.search(pattern, (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace"))
        return found and found.group()

    def last_words(self):
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(encoding='utf-8', errors='replace')[-3000:]}" for log in logs)

    def end(self):
        """Cancels the jobs first, because they outlive their agents."""
        try:
            for job in self.call("GET", "/jobs")["items"] if self.address else []:
                if job["state"] not in ("DONE", "FAILED", "CANCELLED"):
                    self.call("POST", f"/jobs/{job['id']}/cancel")
            if len(self.processes) > 1:
                self.await_that(lambda: not self.holding(), "the jobs to end")
                self.await_that(lambda: not self.aggregators(), "the aggregators to end")
        except (Unexpected, OSError) as trouble:
            print(f"left behind: {trouble}", file=sys.stderr)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            process.wait(60)

    def holding(self):
        return sum(executor["holding"] for executor in self.call("GET", "/executors")["items"])

    def say(self, text):
        print(f"{time.monotonic() - self.began:5.0f} s  {text}", flush=True)


def shape(allocation):
    if allocation is None:
        return "nothing"
    pieces = allocation["placement"]
    return f"{sum(len(piece['devices']) for piece in pieces)} on {'+'.join(piece['node'] for piece in pieces)}"


if __name__ == "__main__":
    main()

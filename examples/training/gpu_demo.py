"""PyTorch trainings on a GPU of this machine under Spur, with each kind of change, a killed process, and a lack of memory.

The agent of the node `left` has the GPUs that nvidia-smi lists. The node `right` has the first of them once more, and
`shared` has it twice, so that trainings move and change their ranks on a machine with one GPU. nccl rejects two ranks on
one GPU, so these use gloo. The exit code is 0 if every change is carried out, and if the losses are those of a run without Spur.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys

from local_cluster import REPOSITORY, LocalCluster, Unexpected
from record import changes, read_record

TRAINING = REPOSITORY / "examples" / "training" / "large.py"
NETWORK, BATCH, SAMPLES = "transformer", 32, 24_000
PERCEPTRON_BATCH, LARGEST_BATCH, PERCEPTRON_SAMPLES = 16, 64, 3200
PAUSE = 0.13
SAVE_SECONDS = 10
TOLERANCE = 0.05
"""Of the loss relative to that of a run alone: the order of sums on a GPU differs between runs."""
EXHAUST = "import torch; print(torch.empty(1 << 42, dtype=torch.uint8, device='cuda'))"


class GpuDemo(LocalCluster):
    def __init__(self, spur, folder, python, network=NETWORK, samples=SAMPLES, backend="nccl"):
        super().__init__(spur, folder)
        self.python = python
        self.network, self.samples, self.backend = network, samples, backend
        self.kind = None

    def run(self):
        self.start_service(earlyRoundSeconds=1, roundSeconds=5)
        self.start_agent("left")
        gpu = self.detected()
        alone = self.start_alone()
        moving = self.submit("moving", 1, self.network, self.samples, self.backend)
        self.await_running(moving)
        self.start_agent("right", None, "--device", "0", "--type", self.kind)
        growing = self.submit("growing", 1, "perceptron", PERCEPTRON_SAMPLES, self.backend)
        self.use(moving)
        self.kill(moving)
        self.await_change(moving, "moving", "restart", 1)
        self.await_change(growing, "growing", "RECONFIGURE", 1)
        self.await_state(growing, "DONE")
        node = self.nodes(moving)[0]
        self.call("POST", f"/nodes/{node}/drain")
        self.await_change(moving, "moving", "MIGRATE", 1)
        self.call("POST", f"/nodes/{node}/activate")
        self.exhaust()
        self.await_state(moving, "DONE")
        if alone.wait():
            raise Unexpected("the training without Spur failed")
        self.compare("moving")
        self.report(moving)
        self.rescale(gpu)

    def detected(self):
        node = self.call("GET", "/nodes/left")
        self.kind = node["acceleratorType"]
        self.say(f"the agent has found {len(node['devices'])} device(s) of type {self.kind}: {', '.join(node['devices'])}")
        types = {kind["name"]: kind for kind in self.call("GET", "/accelerator-types")["items"]}
        self.say(f"memory of a device: {types[self.kind]['memoryGiB']:.1f} GiB")
        return node["devices"][0]

    def submit(self, name, slots, network, samples, backend):
        """A training on up to `slots` slots; a perceptron also profits from a larger batch."""
        small = network == "perceptron"
        batch = PERCEPTRON_BATCH if small else BATCH
        largest = LARGEST_BATCH if small and slots == 1 else batch
        sizes = {(count, batch) for count in range(1, slots + 1)} | {(1, largest)}
        job = {
            "owner": "demo",
            "name": name,
            "command": {"program": self.python, "args": ["-B", *self.arguments(name, network, samples, backend)]},
            "spec": {
                "work": {"unit": "SAMPLES", "amount": samples},
                "elasticity": {"minSlots": 1, "maxSlots": slots},
                "batch": {"initial": batch, "min": batch, "max": largest, "maxPerDevice": largest},
                "profile": {"points": [self.point(*size) for size in sorted(sizes)]},
                "restartPenaltySeconds": 10,
                "changeCosts": {"reconfigureSeconds": 0.5, "rescaleSeconds": 1, "migrateSeconds": 2},
            },
        }
        self.say(f"{name} is submitted: {network}, {samples} samples, batch {batch} to {largest}, {slots} slot(s), {backend}")
        return self.call("POST", "/jobs", job)["id"]

    def arguments(self, name, network, samples, backend, folder=None):
        record = str((folder or self.folder) / f"{name}.jsonl")
        words = [str(TRAINING), network, "--samples", str(samples), "--record", record, "--backend", backend]
        words += ["--batch", str(PERCEPTRON_BATCH if network == "perceptron" else BATCH), "--save-every", str(SAVE_SECONDS)]
        return words + (["--pause", str(PAUSE)] if network == "perceptron" else [])

    def point(self, slots, batch):
        seconds = (PAUSE + 0.001 * batch) / slots
        return {"acceleratorType": self.kind, "slots": slots, "nodes": 1, "batchSize": batch, "samplesPerSecond": batch / seconds}

    def start_alone(self):
        """Starts the training `moving` without Spur."""
        folder = self.folder / "alone"
        folder.mkdir()
        words = self.arguments("moving", self.network, self.samples, self.backend, folder)
        return subprocess.Popen([self.python, "-B", *words, "--checkpoints", str(folder / "checkpoints")])

    def use(self, job):
        """Waits until a heartbeat carries the use of the GPU, which the agent reads every 15 s."""

        def used():
            return [device for device in self.call("GET", f"/jobs/{job}/devices")["devices"] if device["memoryUsedMiB"]]

        device = self.await_that(used, "the use of the GPU")[0]
        self.say(f"use of {device['device']}: {json.dumps(device)}")
        executor = self.call("GET", "/executors/left")
        self.say(f"unhealthy: {executor['unhealthyDevices']}, quarantined: {executor['quarantined']}")

    def kill(self, job):
        """Kills the process of a job that has saved a checkpoint."""
        self.await_that(lambda: list((self.folder / "checkpoints" / job).glob("gen-*/state.pt")), "a checkpoint")
        own = f"\0SPUR_JOB={job}\0".encode()
        for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                program = (environment.parent / "cmdline").read_bytes().split(b"\0")[0].decode()
                if own in environment.read_bytes() and program == self.python:
                    os.kill(int(environment.parent.name), signal.SIGKILL)
                    self.say(f"process {environment.parent.name} of it is killed")
            except OSError:
                pass

    def found(self, name, kind):
        return [change for change in changes(read_record(self.folder / f"{name}.jsonl")) if change[0] == kind]

    def await_change(self, job, name, kind, count):
        def changed():
            if self.state(job) == "FAILED":
                raise Unexpected(f"{name} has failed: {self.job(job)['failure']}")
            return self.found(name, kind)[count - 1 :]

        _, before, after, stall = self.await_that(changed, f"{kind} of {name}")[0]
        layouts = [f"{step['ranks']} rank(s) with batch {step['batch']}" for step in (before, after)]
        self.say(f"{name}: {kind} from {layouts[0]} to {layouts[1]}, stall {stall:.2f} s")

    def exhaust(self):
        """A job that allocates more than a GPU has."""
        job = {
            "owner": "demo",
            "name": "exhausting",
            "command": {"program": self.python, "args": ["-c", EXHAUST], "maxRestarts": 0},
            "spec": {
                "work": {"unit": "SAMPLES", "amount": 1000},
                "elasticity": {"minSlots": 1, "maxSlots": 1},
                "batch": {"initial": BATCH, "min": BATCH, "max": BATCH, "maxPerDevice": BATCH},
                "profile": {"points": [self.point(1, BATCH)]},
            },
        }
        failing = self.call("POST", "/jobs", job)["id"]
        self.await_state(failing, "FAILED")
        self.await_that(lambda: self.job(failing)["failure"]["lines"], "the output of exhausting")
        failure = self.job(failing)["failure"]
        self.say(f"exhausting: outOfMemory {failure['outOfMemory']}, {failure['message']}")
        self.say(f"its last line: {failure['lines'][-1]}")
        if failure["outOfMemory"] != "DEVICE":
            raise Unexpected(f"the cause of the failure is not known: {failure}")

    def rescale(self, gpu):
        """Another job takes and releases one of two slots, so that a training has one rank, two, and one."""
        # The service rejects a second device with the same UUID; CUDA accepts the beginning of one.
        self.start_agent("shared", None, "--device", "0", "--device", gpu[:12], "--type", self.kind)
        for node in ("left", "right"):
            self.call("POST", f"/nodes/{node}/drain")
        other = self.submit_other()
        job = self.submit("changing", 2, self.network, 10 * self.samples, "gloo")
        self.await_running(job)
        self.call("POST", f"/jobs/{other}/cancel")
        self.await_change(job, "changing", "RESCALE", 1)
        other = self.submit_other()
        self.await_change(job, "changing", "RESCALE", 2)
        self.report(job)

    def submit_other(self):
        job = {
            "owner": "demo",
            "name": "other",
            "command": {"program": "sleep", "args": ["1000"], "graceSeconds": 1},
            "spec": {
                "work": {"unit": "SAMPLES", "amount": 100_000_000},
                "elasticity": {"minSlots": 1, "maxSlots": 1},
                "batch": {"initial": BATCH, "min": BATCH, "max": BATCH, "maxPerDevice": BATCH},
                "profile": {"points": [self.point(1, BATCH)]},
                "priority": 10,
            },
        }
        other = self.call("POST", "/jobs", job)["id"]
        self.await_that(lambda: self.nodes(other), "a slot for the other job")
        return other

    def steps(self, name, folder=None):
        return [line for line in read_record((folder or self.folder) / f"{name}.jsonl") if "loss" in line]

    def compare(self, name):
        """Compares the mean loss of the last steps with that of the run without Spur."""
        ours, alone = (statistics.mean(step["loss"] for step in self.steps(name, at)[-20:]) for at in (None, self.folder / "alone"))
        self.say(f"{name}: loss {ours:.4f}, alone {alone:.4f} (tolerance {100 * TOLERANCE:.0f} %)")
        if abs(ours - alone) > TOLERANCE * alone:
            raise Unexpected(f"{name} ended with the loss {ours}, without Spur with {alone}")

    def report(self, job):
        found = self.job(job)
        self.say(f"{found['name']}: events {' '.join(self.events(job))}")
        for stall in found["stalls"]:
            self.say(f"  stall {json.dumps(stall)}")
        points = self.call("GET", f"/jobs/{job}/prediction").get("points", [])
        for point in points:
            self.say(f"  speed {json.dumps(point)}")


def require_gpu(python):
    """Exits where PyTorch finds no GPU."""
    if subprocess.run([python, "-c", "import sys, torch; sys.exit(not torch.cuda.is_available())"], check=False).returncode:
        sys.exit(f"PyTorch of {python} finds no GPU: ./spur demo-training without --gpu needs none.")

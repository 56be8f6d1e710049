"""Starts trainings of several ranks as an agent does, and reads what they recorded."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict

HERE = pathlib.Path(__file__).resolve().parent


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Job:
    """A job whose generations are started by a test in the way of an agent, without Spur."""

    def __init__(self, folder, script=HERE / "elastic.py", variables=None):
        self.folder = pathlib.Path(folder)
        self.script = script
        self.variables = variables or {}
        self.report = self.folder / "report"
        self.report.mkdir(parents=True, exist_ok=True)
        self.checkpoints = self.folder / "checkpoints"
        self.checkpoints.mkdir(exist_ok=True)
        self.generation = 0
        self.nodes = 1
        self.out = ("--out", str(self.folder / "record"))

    def node(self, rank, world):
        """Index of the node of a rank. With more ranks than nodes, the first nodes may have more of them."""
        return rank * self.nodes // world

    def report_of(self, node):
        """Report folder of the agent of a node."""
        folder = self.report if node == 0 else self.report.with_name(f"{self.report.name}-{node}")
        folder.mkdir(exist_ok=True)
        return folder

    def environment(self, rank, world, per_device, passes, **more):
        node = self.node(rank, world)
        local = [other for other in range(world) if self.node(other, world) == node]
        own = {name: value for name, value in os.environ.items() if not name.startswith("SPUR_")}
        earlier = [folder for folder in self.checkpoints.iterdir() if any(folder.iterdir())]
        return {
            **own,
            "OMP_NUM_THREADS": "1",
            **self.variables,
            "RANK": str(rank),
            "LOCAL_RANK": str(local.index(rank)),
            "WORLD_SIZE": str(world),
            "LOCAL_WORLD_SIZE": str(len(local)),
            "NODE_RANK": str(node),
            "NNODES": str(self.nodes),
            "MASTER_ADDR": "127.0.0.1",
            "SPUR_ENVIRONMENT_VERSION": "1",
            "SPUR_JOB": "job",
            "SPUR_GENERATION": str(self.generation),
            "SPUR_LOCAL_BATCH": str(per_device),
            "SPUR_ACCUM_STEPS": str(passes),
            "SPUR_GLOBAL_BATCH": str(world * per_device * passes),
            "SPUR_CHECKPOINT_DIR": str(self.checkpoints),
            "SPUR_CHECKPOINT_WRITE_DIR": str(self.checkpoints / f"gen-{self.generation:08d}"),
            "SPUR_CHECKPOINT_RESUME_DIR": str(max(earlier)) if earlier else "",
            "SPUR_REPORT_URL": self.report_of(node).as_uri(),
            **more,
        }

    def start(self, world, per_device, passes, *options, environment=None):
        """Starts a generation, and returns its processes."""
        self.generation += 1
        for name in ("stop", "asked"):
            for node in range(self.nodes):
                (self.report_of(node) / name).unlink(missing_ok=True)
        port = str(free_port())
        return [
            self._process(rank, world, per_device, passes, options, MASTER_PORT=port, **(environment or {}))
            for rank in range(world)
        ]

    def _process(self, rank, world, per_device, passes, options, **environment):
        return subprocess.Popen(
            [sys.executable, "-B", str(self.script), *options],
            env=self.environment(rank, world, per_device, passes, **environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def stop(self, processes, skew):
        """Stops the ranks as agents do: a file, and SIGTERM to the process group of each rank, `skew` s apart.

        Returns the outputs of the ranks.
        """
        for rank, process in enumerate(processes):
            (self.report_of(self.node(rank, len(processes))) / "stop").touch()
            os.killpg(process.pid, signal.SIGTERM)
            time.sleep(skew)
        return outputs(processes, seconds=40)

    def await_samples(self, samples, seconds=90):
        """Waits until the report of rank 0 states these samples for this generation."""
        end = time.monotonic() + seconds
        while not self._has(samples):
            assert time.monotonic() < end, "the ranks have not trained"
            time.sleep(0.02)

    def _has(self, samples):
        if not (self.report / "progress.json").exists():
            return False
        progress = self.progress()
        return progress["generation"] == self.generation and progress["samples"] >= samples

    def warm_up(self, world, per_device, passes, *options):
        """Starts the next generation while this one trains. Returns its processes once they wait for their start."""
        folder = self.folder / f"run-{self.generation + 1}"
        port, self.generation, processes = str(free_port()), self.generation + 1, []
        for rank in range(world):
            (folder / str(rank)).mkdir(parents=True)
            environment = {
                "MASTER_PORT": port,
                "SPUR_REPORT_URL": folder.as_uri(),
                "SPUR_WARM_UP": str(folder / "begin"),
                "SPUR_PROCESS_DIR": str(folder / str(rank)),
            }
            processes.append(self._process(rank, world, per_device, passes, options, **environment))
        end = time.monotonic() + 60
        while not all((folder / f"ready-{rank}").exists() for rank in range(world)):
            assert time.monotonic() < end, "the ranks are not ready"
            time.sleep(0.02)
        return processes

    def replace(self, running):
        """Stops the ranks that train, and starts those that wait for it."""
        (self.report / "stop").touch()
        outputs(running)
        self.report = self.folder / f"run-{self.generation}"
        earlier = [folder for folder in self.checkpoints.iterdir() if any(folder.iterdir())]
        variables = {"SPUR_CHECKPOINT_RESUME_DIR": str(max(earlier)) if earlier else ""}
        (self.report / "begin.new").write_text(json.dumps(variables), encoding="ascii")
        (self.report / "begin.new").replace(self.report / "begin")

    def rescale(self, number, ranks, per_device, passes, *options):
        """Starts the ranks that join a running generation, and directs the change. Returns their processes."""
        port, world = free_port(), len(ranks)
        environment = {"MASTER_PORT": str(port), "SPUR_RESCALE": str(number), "SPUR_RESCALE_RANKS": json.dumps(ranks)}
        joining = [
            self._process(rank, world, per_device, passes, (*self.out, *options), **environment)
            for rank, before in enumerate(ranks)
            if before is None
        ]
        batch = {"perDevice": per_device, "accumulation": passes - 1, "global": world * per_device * passes}
        rescale = {"number": number, "ranks": ranks, "master": {"address": "127.0.0.1", "port": port}}
        new = self.report / "directive.new"
        new.write_text(json.dumps({"batch": batch, "rescale": rescale}), encoding="ascii")
        new.replace(self.report / "directive")
        return joining

    def await_rescale(self, number, seconds=60):
        """Waits until the report of rank 0 states the change."""
        end = time.monotonic() + seconds
        while not (self.report / "progress.json").exists() or self.progress().get("rescale") != number:
            assert time.monotonic() < end, "the ranks have not changed"
            time.sleep(0.05)

    def run(self, world, per_device, passes, *options, environment=None):
        """Runs a generation to its end, and returns the output of rank 0."""
        return outputs(self.start(world, per_device, passes, *self.out, *options, environment=environment))[0]

    def run_alone(self, per_device, passes, environment):
        """Runs a generation of one rank without options, and returns its output."""
        return outputs(self.start(1, per_device, passes, environment=environment), seconds=300)[0]

    def steps(self, generation=None):
        """Steps of a generation, or of all: the ids of all ranks, and the mean of their losses."""
        chosen = range(1, self.generation + 1) if generation is None else [generation]
        return [step for number in chosen for step in read_steps(self.folder / "record", number)]

    def end(self):
        return json.loads((self.folder / "record-end.json").read_text(encoding="ascii"))

    def progress(self):
        return json.loads((self.report / "progress.json").read_text(encoding="ascii"))


def outputs(processes, codes=(0,), seconds=120):
    """Waits for all processes, and returns their outputs."""
    try:
        texts = [process.communicate(timeout=seconds)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    for process, text in zip(processes, texts):
        assert process.returncode in codes, text
    return texts


def read_steps(out, generation):
    by_step = defaultdict(list)
    for file in sorted(out.parent.glob(f"{out.name}-{generation}-*.jsonl")):
        for line in file.read_text(encoding="ascii").splitlines():
            step = json.loads(line)
            by_step[step["epoch"], step["from"]].append(step)
    return [
        {
            **ranks[0],
            "ids": sorted(index for each in ranks for index in each["ids"]),
            "loss": sum(each["loss"] for each in ranks) / len(ranks),
            "batches": {tuple(each["batch"]) for each in ranks},
            "ranks": len(ranks),
        }
        for _, ranks in sorted(by_step.items())
    ]

"""Measures the stall of each kind of change on this machine, for `./spur bench stalls`.

One training passes through all changes of the ranks, and repeats them: by a change of the running ranks, by ranks that
are started before the others stop, and by a restart. Agent and service do not run. The stall is the time between the
steps before and after the change, without the duration of a step. Parts of a restart are printed as further lines.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
from collections import defaultdict

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "training"
sys.path[:0] = [str(HERE), str(EXAMPLES)]
from launch import Job, outputs
from record import changes, read_record

BATCHES = {"perceptron": 48, "transformer": 32, "resnet50": 256}
STEPS = 8
"""Steps between two changes."""
PATIENCE_SECONDS = 120


class Chain:
    """A training whose ranks and batch change; `record` has its steps."""

    def __init__(self, ranks, options):
        threads = 1 if options.device == "cpu" else max(1, (os.cpu_count() or 1) // max(options.ranks))
        self.job = Job(tempfile.mkdtemp(), EXAMPLES / "large.py", {"OMP_NUM_THREADS": str(threads)})
        self.job.out = ()
        self.path = self.job.folder / "steps.jsonl"
        self.batch = BATCHES[options.network]
        self.words = [options.network, "--record", str(self.path), "--batch", str(self.batch), *options.more]
        self.stopped = []
        self.ranks = ranks
        self.processes = self.job.start(ranks, self.batch // ranks, 1, *self.words)
        self.await_steps(0)

    @property
    def record(self):
        return read_record(self.path)

    def steps(self):
        return [line for line in self.record if "loss" in line]

    def await_steps(self, before):
        """Waits until there are enough steps after the first `before`, by the current generation and ranks."""
        now = self.job.generation, self.ranks
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            new = self.steps()[before:]
            if sum((step["generation"], step["ranks"]) == now for step in new) >= STEPS:
                return
            if time.monotonic() > end or any(process.poll() for process in self.processes):
                self.fail()
            time.sleep(0.02)

    def fail(self):
        for process in self.processes:
            process.kill()
        texts = [process.communicate()[0] for process in self.processes]
        raise SystemExit("\n".join(["The training does not continue.", *texts]))

    def rescale(self, number, after):
        before = len(self.steps())
        ranks = [rank if rank < self.ranks else None for rank in range(after)]
        joining = self.job.rescale(number, ranks, self.batch // after, 1, *self.words)
        self.processes, self.ranks = [*self.processes, *joining], after
        self.await_steps(before)

    def reconfigure(self):
        """Halves the batch, and doubles it again."""
        for per_device in (self.batch // self.ranks // 2, self.batch // self.ranks):
            before = len(self.steps())
            batch = {"perDevice": per_device, "accumulation": 0, "global": per_device * self.ranks}
            new = self.job.report / "directive.new"
            new.write_text(json.dumps({"batch": batch}), encoding="ascii")
            new.replace(self.job.report / "directive")
            self.await_steps(before + 2)

    def restart(self, after):
        before = len(self.steps())
        self.stop()
        self.stopped.append(time.time())
        self.ranks = after
        self.processes = self.job.start(after, self.batch // after, 1, *self.words)
        self.await_steps(before)

    def migrate(self, after):
        before = len(self.steps())
        waiting = self.job.warm_up(after, self.batch // after, 1, *self.words)
        self.job.replace(self.processes)
        self.processes, self.ranks = waiting, after
        self.await_steps(before)

    def stop(self):
        (self.job.report / "directive").unlink(missing_ok=True)
        (self.job.report / "stop").touch()
        outputs(self.processes)

    def restart_parts(self):
        """Seconds of each part of a restart: name and duration."""
        restarts = [change for change in changes(self.record) if change[0] == "restart"]
        starts = {line["generation"]: line for line in self.record if "restored" in line}
        for (_, before, after, _), stopped in zip(restarts, self.stopped):
            start = starts[after["generation"]]
            yield "save, and exit", stopped - before["at"]
            yield "imports", start["imported"] - stopped
            yield "process group, network", start["built"] - start["imported"]
            yield "checkpoint", start["restored"] - start["built"]
            yield "first step", after["at"] - start["restored"]


def measure(options):
    """Returns the stalls in seconds by change and ranks, and those of the parts of a restart."""
    stalls, parts = defaultdict(list), defaultdict(list)
    sizes = options.ranks
    steps = list(zip(sizes, sizes[1:])) or [(sizes[0], sizes[0])]
    for _ in range(options.repeats):
        chain = Chain(sizes[0], options)
        measured = {sizes[0]}
        chain.reconfigure()
        if len(sizes) > 1:
            for number, (_, after) in enumerate(steps, 1):
                chain.rescale(number, after)
                if after not in measured:
                    chain.reconfigure()
                    measured.add(after)
        for change in (chain.migrate, chain.restart):
            for _, after in steps:
                change(after)
        chain.stop()
        for kind, before, after, stall in changes(chain.record):
            ranks = before["ranks"] if kind == "RECONFIGURE" else f"{before['ranks']} to {after['ranks']}"
            print(f"{kind} {ranks}: {stall:.3f} s", file=sys.stderr, flush=True)
            stalls[kind.lower(), ranks].append(stall)
        for name, seconds in chain.restart_parts():
            parts[f"restart: {name}", "-"].append(seconds)
    return {**stalls, **parts}


def parse():
    parser = argparse.ArgumentParser(description="Measures the stall of each kind of change.")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--network", choices=BATCHES, default="perceptron")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 2, 1], help="numbers of ranks, in order")
    parser.add_argument("--no-warm-up", action="store_true")
    options = parser.parse_args()
    options.more = ["--backend", backend(options)]
    if options.network == "perceptron":
        options.more += ["--pause", "0.1"]
    if options.no_warm_up:
        options.more += ["--no-warm-up"]
    return options


def backend(options):
    """Returns nccl where each rank has a GPU; nccl rejects two ranks on one."""
    if options.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        return "gloo"
    import torch

    if not torch.cuda.is_available():
        raise SystemExit("PyTorch finds no GPU: choose --device cpu")
    return "nccl" if torch.cuda.device_count() >= max(options.ranks) else "gloo"


def main():
    """Prints a table of tab-separated values: one line per change, with the median and the extremes in seconds."""
    options = parse()
    print("change\tranks\tmedian\tmin\tmax\tmeasurements")
    for (change, ranks), stalls in measure(options).items():
        numbers = (statistics.median(stalls), min(stalls), max(stalls))
        print(change, ranks, *(f"{number:.3f}" for number in numbers), len(stalls), sep="\t", flush=True)


if __name__ == "__main__":
    main()

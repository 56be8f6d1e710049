#!/usr/bin/env python3
"""Measures how fast PyTorch trains a network on the GPUs of this machine, and prints a throughput profile for Spur.

    python3 measure_torch.py transformer --batches 8 16 32 64 > one-gpu.json
    torchrun --nproc_per_node 4 measure_torch.py resnet50 --batches 256 512 1024 > four-gpus.json

Batches are global. A batch that exceeds the memory of a GPU has throughput 0. With `--loop plain` the training uses
PyTorch's DistributedDataParallel alone, which shows what the package of Spur costs.
"""

import argparse
import datetime
import itertools
import json
import pathlib
import statistics
import sys
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(EXAMPLES / "training"), str(EXAMPLES.parent / "python")]

import torch  # noqa: E402
from networks import NETWORKS, Loss  # noqa: E402

import spur.torch as spur  # noqa: E402

SAMPLES = 1_000_000
DISTRIBUTED = {"spur": spur.DistributedDataParallel, "plain": torch.nn.parallel.DistributedDataParallel}


class Training:
    """A training with the loop `kind`."""

    def __init__(self, kind, network):
        self.kind = kind
        torch.manual_seed(0)
        build, optimizer_of = NETWORKS[network]
        module = build().to(spur.device())
        self.loss_of = Loss(module, spur.device())
        self.model = DISTRIBUTED[kind](module)
        self.optimizer = optimizer_of(self.model.parameters())
        if kind == "spur":
            spur.restore(self.model, self.optimizer)

    def batches(self, batch):
        if self.kind == "spur":
            return spur.DataLoader(range(SAMPLES), batch_size=batch, shuffle=False)
        own = batch // torch.distributed.get_world_size()
        return torch.utils.data.DataLoader(range(SAMPLES), batch_size=own)

    def seconds(self, batch, steps, warm_up):
        """Mean seconds of a step."""
        began = 0
        for number, indices in enumerate(itertools.islice(self.batches(batch), warm_up + steps)):
            if number == warm_up:
                synchronize()
                began = time.perf_counter()
            self.optimizer.zero_grad()
            loss = self.loss_of(self.model, indices)
            loss.backward()
            self.optimizer.step()
            if self.kind == "spur":
                spur.step(loss)
        synchronize()
        return (time.perf_counter() - began) / steps


def synchronize():
    if spur.device().type == "cuda":
        torch.cuda.synchronize()


def measure(trainings, batch, options):
    """Median seconds of a step by loop, over repetitions in turn; an empty list where the memory does not suffice."""
    try:
        turns = [[each.seconds(batch, options.steps, options.warm_up) for each in trainings] for _ in range(options.repeats)]
        return [statistics.median(seconds) for seconds in zip(*turns)]
    except torch.cuda.OutOfMemoryError:
        for each in trainings:
            each.optimizer.zero_grad(set_to_none=True)
        torch.cuda.empty_cache()
        return []


def main():
    options = parse()
    spur.init_process_group()
    ranks = torch.distributed.get_world_size()
    on_gpu = spur.device().type == "cuda"
    device = torch.cuda.get_device_name() if on_gpu else "cpu"
    trainings = [Training(kind, options.network) for kind in options.loop]
    points = []
    for batch in (batch for batch in options.batches if batch % ranks == 0):
        seconds = measure(trainings, batch, options)
        each = ", ".join(f"{kind} {1000 * found:.2f} ms" for kind, found in zip(options.loop, seconds))
        print(f"batch {batch}: {each or 'out of memory'}", file=sys.stderr)
        points.append({
            "acceleratorType": options.type or device.replace(" ", "-"), "slots": ranks, "nodes": 1, "batchSize": batch,
            "strategy": "ALL_REDUCE", "samplesPerSecond": round(batch / seconds[0], 1) if seconds else 0,
        })
    if torch.distributed.get_rank() == 0:
        print(json.dumps({"measured": measured(options, device), "profile": {"points": points}}, indent=2))


def measured(options, device):
    weights = sum(weight.numel() for weight in NETWORKS[options.network][0]().parameters())
    return {
        "model": f"{options.network}, {weights / 1e6:.1f} million parameters",
        "device": device,
        "software": f"PyTorch {torch.__version__}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "stepsPerPoint": options.steps,
    }


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--batches", type=int, nargs="+", default=[8, 16, 32, 64], help="global batch sizes")
    parser.add_argument("--type", help="name of the accelerator type in the profile (default: that of nvidia-smi)")
    parser.add_argument("--loop", nargs="+", choices=DISTRIBUTED, default=["spur"], help="loops to measure in turn; the first counts")
    parser.add_argument("--steps", type=int, default=30, help="measured steps")
    parser.add_argument("--warm-up", type=int, default=10, help="steps before those")
    parser.add_argument("--repeats", type=int, default=1, help="repetitions of each measurement")
    return parser.parse_args()


if __name__ == "__main__":
    main()

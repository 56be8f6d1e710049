#!/usr/bin/env python3
"""Trains a small perceptron with PyTorch alone: without the package of Spur, so that no step is reported.

The script has a checkpoint file of its own, and continues from it after a restart with any number of ranks. As in
paced.py a sleep extends each step to the stated time, and rank 0 writes a line for each step.

    python3 plain.py --samples 360 --checkpoint plain.pt --record steps.jsonl
"""

import argparse
import json
import os
import pathlib
import time

STARTED = time.time()

import torch  # noqa: E402
from torch import nn  # noqa: E402

CHECKPOINT_STEPS = 5
TEST_SEED = 10_000_000


def main():
    options = parse()
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if options.batch % ranks != 0:
        raise SystemExit(f"--batch {options.batch} is not a multiple of the {ranks} ranks")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.02, momentum=0.9)
    first = restore(options.checkpoint, network, optimizer)
    if ranks > 1:
        torch.distributed.init_process_group("gloo")
    model = nn.parallel.DistributedDataParallel(network) if ranks > 1 else network
    for step in range(first, options.samples // options.batch):
        began = time.monotonic()
        inputs, labels = points(step, options.batch)
        loss = nn.functional.cross_entropy(model(inputs[rank::ranks]), labels[rank::ranks])
        optimizer.zero_grad()
        share = options.per_sample * options.batch / ranks
        time.sleep(max(0, began + options.per_pass + share - time.monotonic()))
        loss.backward()
        optimizer.step()
        if rank == 0:
            write(options.record, ranks=ranks, batch=options.batch, loss=loss.item())
            if (step + 1) % CHECKPOINT_STEPS == 0:
                save(options.checkpoint, step + 1, network, optimizer)
    if rank == 0:
        inputs, labels = points(TEST_SEED, 256)
        with torch.no_grad():
            write(options.record, samples=options.samples, testLoss=nn.functional.cross_entropy(network(inputs), labels).item())


def parse():
    parser = argparse.ArgumentParser(description="Trains a small perceptron with PyTorch alone.")
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--batch", type=int, default=12, help="global batch size (default: %(default)s)")
    parser.add_argument("--per-sample", type=float, default=0, metavar="SECONDS", help="time per sample (default: 0)")
    parser.add_argument("--per-pass", type=float, default=0, metavar="SECONDS", help="time per step (default: 0)")
    parser.add_argument("--checkpoint", type=pathlib.Path, required=True, metavar="FILE", help="file of the state of the training")
    parser.add_argument("--record", required=True, metavar="FILE", help="file to which rank 0 appends a line per step")
    return parser.parse_args()


def points(seed, count):
    """Points with 16 coordinates, in ten classes of overlapping clouds; the same for the same seed."""
    centers = torch.randn(10, 16, generator=torch.Generator().manual_seed(1))
    source = torch.Generator().manual_seed(2 + seed)
    labels = torch.randint(10, (count,), generator=source)
    return centers[labels] + torch.randn(count, 16, generator=source), labels


def restore(file, network, optimizer):
    """Loads the state of the training, and returns the first step that is left."""
    if not file.exists():
        return 0
    state = torch.load(file)
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"]


def save(file, step, network, optimizer):
    part = file.with_suffix(".part")
    torch.save({"step": step, "network": network.state_dict(), "optimizer": optimizer.state_dict()}, part)
    os.replace(part, file)


def write(file, **members):
    """Only this measurement knows of Spur: the generation counts the restarts."""
    line = {"at": time.time(), "started": STARTED, "generation": int(os.environ.get("SPUR_GENERATION", 1)), **members}
    with open(file, "a", encoding="ascii") as record:
        print(json.dumps(line), file=record)


if __name__ == "__main__":
    main()

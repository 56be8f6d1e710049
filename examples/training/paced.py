#!/usr/bin/env python3
"""Trains a small PyTorch model at the speed of a stated accelerator: convolutions, a transformer, or a perceptron.

Forward, backward and the sum of gradients are real. A sleep in each pass extends it to the stated time, so that many ranks
fit the cores of one machine: `--per-sample` is the time of an accelerator for a sample, and `--per-pass` a part of each
pass that does not depend on the number of samples.

    python3 paced.py cnn --samples 3200 --record steps.jsonl

runs alone; under Spur the agent sets the ranks. Rank 0 writes a line for each step, and at the end the loss on samples
that were not trained. With `--turns`, processes on one device take turns as on a GPU without MPS: each sleeps while it
holds the lock of the device.
"""

import argparse
import fcntl
import json
import os
import pathlib
import sys
import time

STARTED = time.time()
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pytorch"), str(HERE.parent.parent / "python")]

import cnn  # noqa: E402
import torch  # noqa: E402
import transformer  # noqa: E402
from torch import nn  # noqa: E402

import spur.torch as spur  # noqa: E402

TURN_SECONDS = 0.01
TEST_SAMPLES = 256
FIRST_TEST_SAMPLE = 10_000_000


class Points(torch.utils.data.Dataset):
    """Points with 16 coordinates, in ten classes of overlapping clouds."""

    def __init__(self, count, first=0):
        self.centers = torch.randn(10, 16, generator=torch.Generator().manual_seed(1))
        self.count, self.first = count, first

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        source = torch.Generator().manual_seed(self.first + index)
        label = (self.first + index) % 10
        return self.centers[label] + torch.randn(16, generator=source), label


def perceptron(width=128):
    return nn.Sequential(nn.Linear(16, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))


def wide_perceptron():
    """4.4 MB of gradients, for measurements of aggregators."""
    return perceptron(1024)


def small_transformer():
    return transformer.Transformer(width=16, layers=1)


MODELS = {
    "cnn": (cnn.network, cnn.Images),
    "transformer": (small_transformer, transformer.Text),
    "mlp": (perceptron, Points),
    "wide-mlp": (wide_perceptron, Points),
}


def main():
    options = parse()
    device = Device(options.turns)
    # The sleep stands for the accelerator, and stated slots need not be GPUs of this machine.
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    torch.set_num_threads(1)
    spur.init_process_group()
    torch.manual_seed(0)
    network, data = MODELS[options.model]
    model = spur.DistributedDataParallel(network())
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate, momentum=0.9)
    loader = spur.DataLoader(data(options.samples), batch_size=options.batch, seed=options.seed)
    spur.restore(model, optimizer, learning_rate_rule=spur.LINEAR, directory=options.checkpoints, save_every_seconds=options.save_every)
    record = Record(options.record)
    loss_of = nn.CrossEntropyLoss()

    for _ in spur.epochs(1):
        began = time.monotonic()
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = loss_of(*flat(model(inputs), labels))
            device.work(began, options.per_pass + options.per_sample * len(inputs))
            loss.backward()
            optimizer.step()
            if spur.is_last_pass():
                record.step(loss.item(), device.seconds)
            spur.step(loss)
            began = time.monotonic()
    record.end(model.module, data)


def parse():
    parser = argparse.ArgumentParser(description="Trains a small PyTorch model at the speed of a stated accelerator.")
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--batch", type=int, default=16, help="global batch size (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=0.002, help="learning rate (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the order of the samples (default: %(default)s)")
    parser.add_argument("--per-sample", type=float, default=0, metavar="SECONDS", help="time per sample (default: 0)")
    parser.add_argument("--per-pass", type=float, default=0, metavar="SECONDS", help="time per pass (default: 0)")
    parser.add_argument("--record", required=True, metavar="FILE", help="file to which rank 0 appends a line per step")
    parser.add_argument("--turns", type=pathlib.Path, metavar="FOLDER", help="folder with a lock of each device")
    parser.add_argument("--save-every", type=float, default=600, metavar="SECONDS", help="time between checkpoints (default: %(default)s)")
    parser.add_argument("--checkpoints", metavar="FOLDER", help="folder of the checkpoints outside Spur")
    return parser.parse_args()


def flat(logits, labels):
    """The transformer predicts each token, the other models predict a class."""
    return (logits.flatten(0, 1), labels.flatten()) if logits.dim() == 3 else (logits, labels)


class Device:
    """The stated accelerator. Without a folder of locks, each process has one of its own."""

    def __init__(self, turns):
        self.seconds = 0
        """Time for which this process has held the lock of the device."""
        self.lock = None
        if turns is not None:
            turns.mkdir(parents=True, exist_ok=True)
            self.lock = open(turns / os.environ["CUDA_VISIBLE_DEVICES"], "w", encoding="ascii")  # noqa: SIM115

    def work(self, began, seconds):
        """Returns when the device has worked for `seconds`: since `began` if it is of this process alone."""
        if self.lock is None:
            time.sleep(max(0, began + seconds - time.monotonic()))
            return
        end = self.seconds + seconds
        while self.seconds < end:
            fcntl.flock(self.lock, fcntl.LOCK_EX)
            held = time.monotonic()
            time.sleep(min(TURN_SECONDS, end - self.seconds))
            self.seconds += time.monotonic() - held
            fcntl.flock(self.lock, fcntl.LOCK_UN)
            time.sleep(0)


class Record:
    """Steps of rank 0, as JSON lines. A rank that joins a running training never becomes rank 0."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="ascii", buffering=1)  # noqa: SIM115

    def write(self, **members):
        if spur.assignment().rank == 0:
            print(json.dumps({"at": time.time(), "started": STARTED, **members}), file=self.file)

    def step(self, loss, device_seconds):
        known = spur.assignment()
        own = {"deviceSeconds": device_seconds} if device_seconds else {}
        self.write(generation=known.generation, ranks=known.world_size, batch=spur.batch().total(known.world_size), loss=loss, **own)

    def end(self, network, data):
        if spur.assignment().rank == 0:
            held_out = data(FIRST_TEST_SAMPLE + TEST_SAMPLES)
            test = [held_out[FIRST_TEST_SAMPLE + number] for number in range(TEST_SAMPLES)]
            inputs, labels = torch.utils.data.default_collate(test)
            network.eval()
            with torch.no_grad():
                loss = nn.functional.cross_entropy(*flat(network(inputs), labels)).item()
            self.write(samples=spur.samples(), testLoss=loss)


if __name__ == "__main__":
    main()

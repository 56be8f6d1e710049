#!/usr/bin/env python3
"""Trains a network of usual size on generated data: a transformer of 124 million parameters, ResNet-50, or a perceptron.

    python3 large.py transformer --samples 3200 --batch 16 --record steps.jsonl

runs alone on the first GPU; under Spur the agent sets the ranks. Rank 0 writes a line for each step, and one for the
start of each process.
"""

import argparse
import time

from paced import Record  # isort: skip  # it takes the time of the start before PyTorch is imported
import torch
from networks import NETWORKS, Loss

import spur.torch as spur


def main():
    options = parse()
    imported = time.time()
    spur.init_process_group(options.backend)
    torch.manual_seed(0)
    kind, optimizer_of = NETWORKS[options.network]
    network = kind()
    model = spur.DistributedDataParallel(network)
    optimizer = optimizer_of(model.parameters())
    loss_of = Loss(network, spur.device())
    loader = spur.DataLoader(range(options.samples), batch_size=options.batch, max_per_device=options.max_per_device)
    built = time.time()

    def load_kernels():
        loss_of(model.module, torch.arange(spur.batch().per_device)).backward()

    spur.restore(
        model,
        optimizer,
        save_every_seconds=options.save_every,
        directory=options.checkpoints,
        warm_up=load_kernels if options.warm_up else None,
    )
    record = Record(options.record)
    record.write(
        generation=spur.assignment().generation,
        device=str(spur.device()),
        backend=torch.distributed.get_backend(),
        imported=imported,
        built=built,
        restored=time.time(),
    )
    for _ in spur.epochs(1):
        for indices in loader:
            optimizer.zero_grad()
            loss = loss_of(model, indices)
            loss.backward()
            optimizer.step()
            time.sleep(options.pause)
            if spur.is_last_pass():
                record.step(loss.item())
            spur.step(loss)
    record.write(samples=spur.samples())


def parse():
    parser = argparse.ArgumentParser(description="Trains a network of usual size on generated data.")
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--samples", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=16, help="global batch size (default: %(default)s)")
    parser.add_argument("--max-per-device", type=int, help="samples of a pass (default: all of a rank)")
    parser.add_argument("--backend", help="of torch.distributed (default: nccl on GPUs, otherwise gloo)")
    parser.add_argument("--pause", type=float, default=0, metavar="SECONDS", help="pause of each pass (default: 0)")
    parser.add_argument("--save-every", type=float, default=600, metavar="SECONDS", help="(default: %(default)s)")
    parser.add_argument("--no-warm-up", dest="warm_up", action="store_false", help="no pass before the others have stopped")
    parser.add_argument("--record", required=True, metavar="FILE", help="file to which rank 0 appends a line per step")
    parser.add_argument("--checkpoints", metavar="FOLDER", help="folder of the checkpoints outside Spur")
    return parser.parse_args()


if __name__ == "__main__":
    main()

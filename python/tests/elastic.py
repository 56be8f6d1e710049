"""A training that records its batches. Each rank writes a line per step: epoch, ids, loss, batch.

The model has no dropout and no batch normalization, so its losses do not depend on the number of ranks.
"""

import argparse
import json
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import torch

import spur.torch as spur
from spur.torch import _parallel, _rescale, _session

parser = argparse.ArgumentParser()
parser.add_argument("--out", required=True)
parser.add_argument("--directory")
parser.add_argument("--backend")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch", type=int, default=48)
parser.add_argument("--samples", type=int, default=500)
parser.add_argument("--max-per-device", type=int)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--rule", default="NONE")
parser.add_argument("--save-every", type=float, default=600)
parser.add_argument("--at", type=int, default=-1, help="step after which one of these happens, on the last rank:")
parser.add_argument("--touch", help="creates this file")
parser.add_argument("--write", help="writes this text to the file")
parser.add_argument("--kill", action="store_true", help="kills this rank")
parser.add_argument("--die", choices=["warm-up", "change"], help="kills this rank when it joins, or in the change")
parser.add_argument("--pause", type=float, default=0, help="seconds of a step")
parser.add_argument("--until", default="", help="there is no pause once this file exists")
options = parser.parse_args()

torch.manual_seed(0)
_parallel.CONNECT_SECONDS = 2


class Samples(torch.utils.data.Dataset):
    def __init__(self, count):
        self.inputs = torch.randn(count, 12)
        self.labels = (self.inputs[:, 0] * self.inputs[:, 1] > 0).long()

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        return index, self.inputs[index], self.labels[index]


dataset = Samples(options.samples)
spur.init_process_group(options.backend)
device = spur.device()
rank, world = torch.distributed.get_rank(), torch.distributed.get_world_size()
model = spur.DistributedDataParallel(
    torch.nn.Sequential(torch.nn.Linear(12, 24), torch.nn.Tanh(), torch.nn.Linear(24, 2))
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.8)
if options.die == "warm-up":
    os.kill(os.getpid(), signal.SIGKILL)
elif options.die == "change":
    _rescale.enter = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
loader = spur.DataLoader(
    dataset, batch_size=options.batch, max_per_device=options.max_per_device, seed=3, num_workers=options.workers
)
spur.restore(
    model,
    optimizer,
    scheduler,
    directory=options.directory,
    learning_rate_rule=options.rule,
    save_every_seconds=options.save_every,
)
record = open(f"{options.out}-{spur.assignment().generation}-{os.getpid()}.jsonl", "a", encoding="ascii")
ids, losses, number = [], [], 0
for epoch in spur.epochs(options.epochs):
    for index, inputs, labels in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        ids += index.tolist()
        losses.append(loss.item())
        if spur.is_last_pass():
            batch = spur.batch()
            print(
                json.dumps(
                    {
                        "epoch": epoch,
                        "ids": ids,
                        "loss": sum(losses) / len(losses),
                        "batch": [batch.per_device, batch.passes],
                        "from": _session.session().offset,
                        "rate": optimizer.param_groups[0]["lr"],
                    }
                ),
                file=record,
                flush=True,
            )
            ids, losses = [], []
            number += 1
            if not os.path.exists(options.until):
                time.sleep(options.pause)
            if number == options.at and rank == world - 1:
                if options.touch:
                    with open(options.touch + ".new", "w", encoding="ascii") as file:
                        file.write(options.write or "")
                    os.replace(options.touch + ".new", options.touch)
                if options.kill:
                    os.kill(os.getpid(), signal.SIGKILL)
        spur.step(loss)
    scheduler.step()
weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
if spur.assignment().rank == 0:
    with open(f"{options.out}-end.json", "w", encoding="ascii") as file:
        json.dump({"weights": weights.tolist(), "samples": spur.samples(), "noise": spur.noise_scale()}, file)

"""A PyTorch training that appends a line per step and rank to a file.

The line has the process, the generation, rank and number of ranks, the samples before the step, its loss, and its
samples. The second argument is the time that the preparation takes, in seconds; the third, if there is one, the number
of steps, which then have no pause.
"""

import os
import sys
import time

import torch

import spur.torch as spur

last = int(sys.argv[3]) if len(sys.argv) > 3 else None
os.environ["CUDA_VISIBLE_DEVICES"] = ""  # the agent states slots that are no GPUs
spur.init_process_group()
torch.manual_seed(0)
ids = torch.arange(500_000)
model = spur.DistributedDataParallel(torch.nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.003, momentum=0.9)
loader = spur.DataLoader(torch.utils.data.TensorDataset(ids), batch_size=32)
time.sleep(float(sys.argv[2]))
spur.restore(model, optimizer, save_every_seconds=1)
with open(sys.argv[1], "a", encoding="ascii") as steps:
    for epoch in spur.epochs(1):
        for number, (batch,) in enumerate(loader):
            optimizer.zero_grad()
            inputs = batch[:, None].float() / len(ids)
            loss = (model(inputs) - torch.sin(7 * inputs)).square().mean()
            loss.backward()
            optimizer.step()
            known = spur.assignment()
            ranks = f"{known.rank} {known.world_size}"
            samples = " ".join(str(sample) for sample in batch.tolist())
            line = f"{os.getpid()} {known.generation} {ranks} {spur.samples()} {loss.item()} {samples}"
            print(line, file=steps, flush=True)
            if number + 1 == last:
                sys.exit(0)
            spur.step(loss)
            if last is None:
                time.sleep(0.001 * len(batch))

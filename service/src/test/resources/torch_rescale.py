"""A PyTorch training that appends a line per step and rank to a file: process, generation, ranks, and the samples.

The second argument is the time that its preparation takes, in seconds.
"""

import os
import sys
import time

import torch

import spur.torch as spur

spur.init_process_group()
torch.manual_seed(0)
ids = torch.arange(500_000)
model = spur.DistributedDataParallel(torch.nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-13)
loader = spur.DataLoader(torch.utils.data.TensorDataset(ids), batch_size=32)
time.sleep(float(sys.argv[2]))
spur.restore(model, optimizer, save_every_seconds=1)
with open(sys.argv[1], "a", encoding="ascii") as steps:
    for epoch in spur.epochs(1):
        for (batch,) in loader:
            optimizer.zero_grad()
            loss = model(batch[:, None].float()).square().mean()
            loss.backward()
            optimizer.step()
            known = spur.assignment()
            samples = " ".join(str(number) for number in batch.tolist())
            print(os.getpid(), known.generation, known.rank, known.world_size, samples, file=steps, flush=True)
            spur.step(loss)
            time.sleep(0.001 * len(batch))

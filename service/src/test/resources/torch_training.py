"""A PyTorch training that appends the size of each of its batches, and its loss, to a file."""

import os
import sys
import time

import torch

import spur.torch as spur

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # the agent states slots that are no GPUs
spur.init_process_group()
torch.manual_seed(0)
inputs = torch.randn(1_000_000, 10)
targets = inputs @ torch.randn(10, 1) + 3 * torch.randn(len(inputs), 1)
model = spur.DistributedDataParallel(torch.nn.Linear(10, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
loader = spur.DataLoader(torch.utils.data.TensorDataset(inputs, targets), batch_size=32)
spur.restore(model, optimizer)
with open(sys.argv[1], "a", encoding="utf-8") as steps:
    for epoch in spur.epochs(1):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(batch), target)
            loss.backward()
            optimizer.step()
            spur.step(loss)
            print(len(batch), file=steps, flush=True)
            time.sleep(0.005)

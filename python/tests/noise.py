"""Measures the noise scale of gradients w - x, where x is normal: tr(covariance) = 20, |gradient|^2 = 4, so it is 5."""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import torch

import spur.torch as spur

parser = argparse.ArgumentParser()
parser.add_argument("--out", required=True)
parser.add_argument("--epochs", type=int, default=1)
options = parser.parse_args()


class Distance(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((20,), (4 / 20) ** 0.5))

    def forward(self, inputs):
        return (self.weight - inputs).square().sum(1).mean() / 2


torch.manual_seed(1)
inputs = torch.randn(24_000, 20)
inputs -= inputs.mean(0)
spur.init_process_group()
model = spur.DistributedDataParallel(Distance())
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
loader = spur.DataLoader(torch.utils.data.TensorDataset(inputs), batch_size=24)
spur.restore(model, optimizer)
for _ in spur.epochs(options.epochs):
    for (batch,) in loader:
        optimizer.zero_grad()
        loss = model(batch)
        loss.backward()
        optimizer.step()
        spur.step(loss)
if spur.assignment().rank == 0:
    with open(f"{options.out}-end.json", "w", encoding="ascii") as file:
        json.dump({"noise": spur.noise_scale()}, file)

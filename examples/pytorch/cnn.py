#!/usr/bin/env python3
"""A small convolutional network on images of MNIST size, which are generated: 28 x 28 pixels, 10 classes.

A usual PyTorch script; the lines for Spur are marked. Each of these runs it:

    python3 cnn.py
    torchrun --nproc_per_node 2 cnn.py
    ./spur submit job.yaml
"""

import argparse

import torch
from torch import nn

import spur.torch as spur  # Spur


class Images(torch.utils.data.Dataset):
    """Each class is a random pattern; an image is its pattern, moved by up to two pixels, with noise."""

    def __init__(self, count, first=0):
        patterns = torch.rand(10, 1, 28, 28, generator=torch.Generator().manual_seed(1))
        self.patterns = nn.functional.avg_pool2d(patterns, 5, 1, 2) * 4 - 2
        self.count, self.first = count, first

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        source = torch.Generator().manual_seed(self.first + index)
        label = (self.first + index) % 10
        down, right = torch.randint(-2, 3, (2,), generator=source).tolist()
        image = self.patterns[label].roll((down, right), (1, 2))
        return image + torch.randn(1, 28, 28, generator=source), label


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 7 * 7, 10),
    )


@torch.no_grad()
def accuracy(model, dataset, device):
    model.eval()
    right = 0
    for images, labels in torch.utils.data.DataLoader(dataset, batch_size=500):
        right += (model(images.to(device)).argmax(1) == labels.to(device)).sum().item()
    model.train()
    return right / len(dataset)


def main():
    parser = argparse.ArgumentParser(description="Trains a small convolutional network on generated images.")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--samples", type=int, default=60_000)
    parser.add_argument("--batch", type=int, default=64, help="global batch size (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=0.02, help="learning rate (default: %(default)s)")
    parser.add_argument("--checkpoints", help="folder of the checkpoints outside Spur")
    options = parser.parse_args()

    spur.init_process_group()  # Spur
    torch.manual_seed(0)
    model = spur.DistributedDataParallel(network())  # Spur
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate, momentum=0.9)
    loader = spur.DataLoader(Images(options.samples), batch_size=options.batch)  # Spur
    spur.restore(model, optimizer, learning_rate_rule=spur.ADASCALE, directory=options.checkpoints)  # Spur
    device, rank = spur.device(), torch.distributed.get_rank()  # Spur
    test = Images(1000, first=10_000_000)

    for epoch in spur.epochs(options.epochs):  # Spur
        for images, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images.to(device)), labels.to(device))
            loss.backward()
            optimizer.step()
            spur.step(loss)  # Spur
        if rank == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}, accuracy {accuracy(model.module, test, device):.3f}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A small transformer that predicts the next token of generated text: each token depends on the one two places before.

A usual PyTorch script; the lines for Spur are marked. Each of these runs it:

    python3 transformer.py
    torchrun --nproc_per_node 2 transformer.py
    ./spur submit job.yaml
"""

import argparse

import torch
from torch import nn

import spur.torch as spur  # Spur

TOKENS = 32
LENGTH = 32


class Text(torch.utils.data.Dataset):
    """Sequences in which four of five tokens follow from the one two places before; the others are random."""

    def __init__(self, count):
        self.count = count
        self.next = torch.randperm(TOKENS, generator=torch.Generator().manual_seed(1)).tolist()

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        source = torch.Generator().manual_seed(index)
        random = torch.randint(TOKENS, (LENGTH + 1,), generator=source).tolist()
        follows = (torch.rand(LENGTH + 1, generator=source) < 0.8).tolist()
        tokens = random[:2]
        for place in range(2, LENGTH + 1):
            tokens.append(self.next[tokens[-2]] if follows[place] else random[place])
        return torch.tensor(tokens[:-1]), torch.tensor(tokens[1:])


class Transformer(nn.Module):
    def __init__(self, width=32, layers=2, heads=2):
        super().__init__()
        self.token = nn.Embedding(TOKENS, width)
        self.place = nn.Parameter(torch.randn(LENGTH, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(width, TOKENS)
        self.register_buffer("mask", torch.full((LENGTH, LENGTH), float("-inf")).triu(1))

    def forward(self, tokens):
        return self.head(self.layers(self.token(tokens) + self.place, self.mask))


def main():
    parser = argparse.ArgumentParser(description="Trains a small transformer on generated text.")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=64, help="global batch size (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=5e-3, help="learning rate (default: %(default)s)")
    parser.add_argument("--checkpoints", help="folder of the checkpoints outside Spur")
    options = parser.parse_args()

    spur.init_process_group()  # Spur
    torch.manual_seed(0)
    model = spur.DistributedDataParallel(Transformer())  # Spur
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate)
    loader = spur.DataLoader(Text(options.samples), batch_size=options.batch)  # Spur
    spur.restore(model, optimizer, learning_rate_rule=spur.SQRT, directory=options.checkpoints)  # Spur
    device, rank = spur.device(), torch.distributed.get_rank()  # Spur

    for epoch in spur.epochs(options.epochs):  # Spur
        for tokens, following in loader:
            optimizer.zero_grad()
            logits = model(tokens.to(device))
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), following.to(device).flatten())
            loss.backward()
            if spur.is_last_pass():  # Spur
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            spur.step(loss)  # Spur
        if rank == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()

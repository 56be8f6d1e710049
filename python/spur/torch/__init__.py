"""Elastic training with PyTorch: the ranks, the batch and the aggregators of a plan in a usual training loop.

    import spur.torch as spur

    spur.init_process_group()
    model = spur.DistributedDataParallel(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = spur.DataLoader(dataset, batch_size=256)
    spur.restore(model, optimizer)
    for epoch in spur.epochs(10):
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            optimizer.step()
            spur.step(loss)

Outside Spur the same script is plain `torch.distributed`, with torchrun or as one process.
"""

from spur.assignment import Assignment, Batch, RankMismatch, VersionMismatch
from spur.torch._loader import DataLoader
from spur.torch._loop import epochs, is_last_pass, restore, save, step
from spur.torch._parallel import DistributedDataParallel
from spur.torch._rates import ADASCALE, LINEAR, NONE, SQRT
from spur.torch._session import assignment, batch, device, init_process_group, noise_scale, samples

__all__ = [
    "ADASCALE",
    "LINEAR",
    "NONE",
    "SQRT",
    "Assignment",
    "Batch",
    "DataLoader",
    "DistributedDataParallel",
    "RankMismatch",
    "VersionMismatch",
    "assignment",
    "batch",
    "device",
    "epochs",
    "init_process_group",
    "is_last_pass",
    "noise_scale",
    "restore",
    "samples",
    "save",
    "step",
]

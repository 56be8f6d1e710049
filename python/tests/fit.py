"""A training with Lightning, with the lines that Spur needs."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import torch

try:
    import lightning.pytorch as lightning
except ImportError:
    import pytorch_lightning as lightning

import spur.lightning


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def training_step(self, batch, number):
        if os.environ.get("STOP_AT") == str(self.trainer.global_step):
            pathlib.Path(os.environ["STOP"]).touch()
        time.sleep(0.05)
        return torch.nn.functional.cross_entropy(self.layer(batch[0]), batch[1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.randn(256, 8), torch.arange(256) % 2)
loader = torch.utils.data.DataLoader(data, batch_size=spur.lightning.batch_size(64))
trainer = lightning.Trainer(
    accelerator="cpu",
    max_steps=16,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    accumulate_grad_batches=spur.lightning.passes(1),
    callbacks=[spur.lightning.callback()],
)
trainer.fit(Net(), loader, ckpt_path=spur.lightning.last_checkpoint())
print("steps", trainer.global_step)

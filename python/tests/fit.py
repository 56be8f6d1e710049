"""A training with Lightning, with the lines that Spur needs. Environment variables choose its variant."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import record
import torch

try:
    import lightning.pytorch as lightning
except ImportError:
    import pytorch_lightning as lightning

import spur.lightning

VARIANT = os.environ.get


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def on_train_start(self):
        self.first = self.trainer.global_step

    def training_step(self, batch, number):
        ids, inputs, labels = batch
        if VARIANT("STOP_AT") == str(self.trainer.global_step - self.first):
            pathlib.Path(os.environ["STOP"]).touch()
        record.write(self.trainer.global_step, ids.tolist(), epoch=self.trainer.current_epoch)
        time.sleep(float(VARIANT("PAUSE", "0.05")))
        return torch.nn.functional.cross_entropy(self.layer(inputs), labels)

    def validation_step(self, batch, number):
        self.log("loss", torch.nn.functional.cross_entropy(self.layer(batch[1]), batch[2]))
        print("validated")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


torch.manual_seed(0)
count = int(VARIANT("SAMPLES", "256"))
data = torch.utils.data.TensorDataset(torch.arange(count), torch.randn(count, 8), torch.arange(count) % 2)
workers = {"num_workers": int(VARIANT("WORKERS", "0"))}
limits = {"max_epochs": int(VARIANT("EPOCHS"))} if VARIANT("EPOCHS") else {"max_steps": 16}
script = {
    "accelerator": "cpu",
    "min_epochs": int(VARIANT("MIN_EPOCHS", "0")),
    "logger": False,
    "enable_checkpointing": False,
    "enable_progress_bar": False,
    "callbacks": [spur.lightning.callback(float(VARIANT("SAVE_EVERY", "600")))],
    **limits,
}
validation = {"val_dataloaders": torch.utils.data.DataLoader(data, 64)} if VARIANT("VALIDATE") else {}
if VARIANT("PLAIN"):
    trainer = lightning.Trainer(**script)
else:
    trainer = lightning.Trainer(**spur.lightning.arguments(**script))
model = Net()
if VARIANT("OWN_LOADER"):
    loader = torch.utils.data.DataLoader(data, batch_size=spur.lightning.batch_size(64))
else:
    loader = spur.lightning.data_loader(data, batch_size=64, **workers)
trainer.fit(model, loader, ckpt_path=spur.lightning.last_checkpoint(), **validation)
print("steps", trainer.global_step, "ranks", trainer.world_size, "weight", model.layer.weight.sum().item())

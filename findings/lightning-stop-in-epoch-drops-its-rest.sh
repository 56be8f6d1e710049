#!/usr/bin/env bash
# A checkpoint that Lightning saves in on_train_end, after trainer.should_stop ended an epoch early, resumes in the next epoch.
#
# Seen with lightning 2.6.6 and torch 2.15.0 (CPython 3.11, Linux x86-64, CPU), 2026-11-29.
#
# Behavior: should_stop is set in on_train_batch_end of step 6 of 16. The loop counts the epoch as processed all the same,
# so the resumed training skips the other 10 batches: 24 + 128 = 152 of 192 samples are trained, without a warning.
#
# The packages are installed into a temporary folder (about 3 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q lightning==2.6.6 torch==2.15.0
cat >"$folder/program.py" <<'PROGRAM'
import sys, tempfile, pathlib, warnings, logging
warnings.filterwarnings("ignore")
import torch, lightning
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)
        self.seen = 0
    def training_step(self, batch, index):
        self.seen += len(batch[0])
        return self.layer(batch[0]).square().mean()
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)

class Stop(lightning.Callback):
    def __init__(self, step, file):
        self.step, self.file = step, file
    def on_train_batch_end(self, trainer, *_):
        if trainer.global_step == self.step:
            trainer.should_stop = True
    def on_train_end(self, trainer, module):
        if trainer.should_stop:
            trainer.save_checkpoint(self.file)

def run(stop, file, resume):
    data = torch.utils.data.TensorDataset(torch.ones(64, 2))
    net = Net()
    trainer = lightning.Trainer(max_epochs=3, accelerator="cpu", devices=1, logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False, callbacks=[Stop(stop, file)] if stop else [])
    trainer.fit(net, torch.utils.data.DataLoader(data, batch_size=4), ckpt_path=resume)
    return net.seen, trainer.current_epoch, trainer.global_step

with tempfile.TemporaryDirectory() as folder:
    file = str(pathlib.Path(folder) / "stop.ckpt")
    print("whole", run(None, None, None))
    print("first", run(6, file, None))
    print("second", run(None, None, file))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
whole (192, 3, 48)
first (24, 1, 6)
second (128, 3, 38)
EXPECTED

"""A training with the Trainer of Hugging Face. Environment variables choose its variant."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import record
import torch
from transformers import Trainer, TrainerCallback, TrainingArguments

import spur.huggingface

VARIANT = os.environ.get


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def forward(self, ids, inputs, labels):
        if self.training:
            record.write(watch.step, ids.tolist(), rate=watch.rate)
            time.sleep(float(VARIANT("PAUSE", "0")))
        else:
            print("evaluated")
        logits = self.layer(inputs)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class Watch(TrainerCallback):
    """Requests a stop by its file, and knows the step."""

    def on_train_begin(self, args, state, control, **_):
        self.first = state.global_step

    def on_step_begin(self, args, state, control, optimizer=None, **_):
        self.step, self.rate = state.global_step, optimizer.param_groups[0]["lr"]
        if VARIANT("STOP_AT") == str(state.global_step - self.first):
            pathlib.Path(os.environ["STOP"]).touch()
        time.sleep(float(VARIANT("PAUSE", "0.15")))


torch.manual_seed(0)
count = int(VARIANT("SAMPLES", "256"))
data = [{"ids": index, "inputs": torch.randn(8), "labels": index % 2} for index in range(count)]
script = {
    "output_dir": os.environ.get("OUT", "out"),
    "per_device_train_batch_size": 64,
    "per_device_eval_batch_size": 64,
    "logging_steps": 1,
    "save_steps": 4,
    "report_to": "none",
    "disable_tqdm": True,
    "use_cpu": True,
    "dataloader_num_workers": int(VARIANT("WORKERS", "0")),
    **({"num_train_epochs": int(VARIANT("EPOCHS"))} if VARIANT("EPOCHS") else {"max_steps": 16}),
    **({"eval_strategy": "steps", "eval_steps": 1} if VARIANT("VALIDATE") else {}),
}
arguments = TrainingArguments(**spur.huggingface.arguments(**script))
watch, net = Watch(), Net()
trainer = Trainer(net, arguments, train_dataset=data, eval_dataset=data, callbacks=[watch, spur.huggingface.callback()])
trainer.train(resume_from_checkpoint=spur.huggingface.last_checkpoint())
weight = net.layer.weight.sum().item()
print("steps", trainer.state.global_step, "ranks", arguments.world_size, "weight", weight)

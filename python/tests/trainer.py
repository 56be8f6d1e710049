"""A training with the Trainer of Hugging Face, with the lines that Spur needs."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import torch
from transformers import Trainer, TrainerCallback, TrainingArguments

import spur.huggingface


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def forward(self, inputs, labels):
        logits = self.layer(inputs)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class StopAt(TrainerCallback):
    """Requests a stop as the agent does."""

    def on_step_begin(self, args, state, control, **_):
        if os.environ.get("STOP_AT") == str(state.global_step):
            pathlib.Path(os.environ["STOP"]).touch()
        time.sleep(0.15)


torch.manual_seed(0)
data = [{"inputs": torch.randn(8), "labels": index % 2} for index in range(256)]
script = {
    "output_dir": os.environ.get("OUT", "out"),
    "per_device_train_batch_size": 64,
    "max_steps": 16,
    "logging_steps": 1,
    "save_steps": 4,
    "report_to": "none",
    "disable_tqdm": True,
    "use_cpu": True,
}
arguments = TrainingArguments(**spur.huggingface.arguments(**script))
trainer = Trainer(Net(), arguments, train_dataset=data, callbacks=[StopAt(), spur.huggingface.callback()])
trainer.train(resume_from_checkpoint=spur.huggingface.last_checkpoint())
print("steps", trainer.state.global_step)

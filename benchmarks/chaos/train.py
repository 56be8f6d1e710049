#!/usr/bin/env python3
"""A short training with Spur's package, Lightning or transformers, which records the ids of its samples.

    train.py torch|lightning|transformers --samples 640 --epochs 2 --pause 0.1 --record FOLDER
    train.py check FOLDER ...

Each rank appends a line per step to FOLDER/GENERATION-RANK.jsonl: the time, the samples before the step, and the ids of its
samples. `check` loads all checkpoints below each folder and prints a line per folder: the number of files, the samples of
the newest checkpoint, and the files that cannot be loaded.
"""

import argparse
import json
import os
import pathlib
import sys
import time

os.environ["CUDA_VISIBLE_DEVICES"] = ""
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "python"))

import torch  # noqa: E402

BATCH = 16
SAVE_SECONDS = 4


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2:])
        return
    options = parse()
    torch.manual_seed(0)
    {"torch": with_spur, "lightning": with_lightning, "transformers": with_transformers}[options.kind](options)


def parse():
    parser = argparse.ArgumentParser(description="Trains a small network and records the ids of its samples.")
    parser.add_argument("kind", choices=["torch", "lightning", "transformers"])
    parser.add_argument("--samples", type=int, required=True, help="samples of an epoch, a multiple of 16")
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("--pause", type=float, required=True, metavar="SECONDS", help="time per step")
    parser.add_argument("--record", type=pathlib.Path, required=True, metavar="FOLDER")
    return parser.parse_args()


class Samples(torch.utils.data.Dataset):
    """Samples that contain their id."""

    def __init__(self, count):
        self.inputs = torch.randn(count, 8)

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        return {"ids": index, "inputs": self.inputs[index], "labels": index % 2}


class Record:
    def __init__(self, options):
        name = f"{os.environ.get('SPUR_GENERATION', '0')}-{os.environ.get('RANK', '0')}.jsonl"
        self.file = open(options.record / name, "a", encoding="ascii", buffering=1)  # noqa: SIM115
        self.pause = options.pause

    def step(self, samples_before, ids):
        line = {"at": time.monotonic(), "before": int(samples_before), "ids": ids.tolist()}
        print(json.dumps(line), file=self.file)
        time.sleep(self.pause)


def network():
    return torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2))


def with_spur(options):
    import spur.torch as spur

    spur.init_process_group()
    model = spur.DistributedDataParallel(network())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = spur.DataLoader(Samples(options.samples), batch_size=BATCH)
    spur.restore(model, optimizer, save_every_seconds=SAVE_SECONDS)
    record = Record(options)
    for _ in spur.epochs(options.epochs):
        for batch in loader:
            record.step(spur.samples(), batch["ids"])
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(batch["inputs"]), batch["labels"])
            loss.backward()
            optimizer.step()
            spur.step(loss)


def with_lightning(options):
    import lightning.pytorch as lightning

    import spur.lightning

    class Net(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = network()

        def training_step(self, batch, number):
            record.step(self.trainer.global_step * BATCH, batch["ids"])
            return torch.nn.functional.cross_entropy(self.net(batch["inputs"]), batch["labels"])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)

    record = Record(options)
    trainer = lightning.Trainer(
        **spur.lightning.arguments(
            accelerator="cpu",
            max_epochs=options.epochs,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=[spur.lightning.callback(SAVE_SECONDS)],
        )
    )
    loader = spur.lightning.data_loader(Samples(options.samples), batch_size=BATCH)
    trainer.fit(Net(), loader, ckpt_path=spur.lightning.last_checkpoint())


def with_transformers(options):
    from transformers import Trainer, TrainerCallback, TrainingArguments

    import spur.huggingface

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = network()

        def forward(self, ids, inputs, labels):
            record.step(watch.before, ids)
            logits = self.net(inputs)
            return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}

    class Watch(TrainerCallback):
        def on_step_begin(self, args, state, control, **_):
            self.before = state.global_step * BATCH

    record, watch = Record(options), Watch()
    arguments = TrainingArguments(
        **spur.huggingface.arguments(
            output_dir="out",
            per_device_train_batch_size=BATCH,
            num_train_epochs=options.epochs,
            logging_steps=10,
            save_steps=40,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
    )
    callbacks = [watch, spur.huggingface.callback()]
    trainer = Trainer(Net(), arguments, train_dataset=Samples(options.samples), callbacks=callbacks)
    trainer.train(resume_from_checkpoint=spur.huggingface.last_checkpoint())


def check(folders):
    for name in folders:
        files, newest, damaged = 0, 0, []
        for path in sorted(pathlib.Path(name).rglob("*")):
            if path.name in LOADERS:
                files += 1
                try:
                    newest = max(newest, LOADERS[path.name](path))
                except Exception as error:
                    damaged.append(f"{path}: {type(error).__name__}: {error}")
        print(json.dumps({"folder": name, "files": files, "samples": newest, "damaged": damaged}), flush=True)


def load(path):
    return torch.load(path, map_location="cpu", weights_only=False)


def samples_of_lightning(path):
    return next(state["samples"] for name, state in load(path)["callbacks"].items() if "SpurCallback" in name)


def samples_of_transformers(path):
    """The folder of the mark is a complete checkpoint, so the optimizer can be loaded."""
    load(path.parent / "optimizer.pt")
    return json.loads(path.read_text(encoding="ascii"))["samples"]


LOADERS = {
    "state.pt": lambda path: load(path)["session"]["samples"],
    "lightning.ckpt": samples_of_lightning,
    "spur.json": samples_of_transformers,
}


if __name__ == "__main__":
    main()

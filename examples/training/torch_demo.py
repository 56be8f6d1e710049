"""Two PyTorch trainings under Spur, with each kind of change: of the batch, of the number of ranks, of the node, and a restart.

The processes, gradients and checkpoints are real; a sleep stands for the time of the accelerator (see paced.py). The stall
of a change is the time between the steps before and after it, without the duration of a step. Each training must end
with the loss of a run without Spur. The exit code is 0 if that holds.
"""

import os
import subprocess

from local_cluster import REPOSITORY, LocalCluster, Unexpected
from record import changes, read_record

TRAINING = REPOSITORY / "examples" / "training" / "paced.py"
ENVIRONMENT = {"OMP_NUM_THREADS": "1"}
BATCH = 16
LARGEST_BATCH = 64
CNN = {"model": "cnn", "samples": 6400, "perSample": 0.01, "perPass": 0.02}
MLP = {"model": "mlp", "samples": 3200, "perSample": 0.001, "perPass": 0.13}
ROUNDING = 0.002
LARGER_BATCH = 0.1
"""Tolerances of the loss: the sum over ranks has another order, and another batch has other steps."""


class TorchDemo(LocalCluster):
    def __init__(self, spur, folder, python):
        super().__init__(spur, folder)
        self.python = python

    def run(self):
        self.start_service(earlyRoundSeconds=1, roundSeconds=5)
        self.start_agent("left", 2)
        mlp = self.submit(MLP, max_slots=1, max_batch=LARGEST_BATCH)
        cnn = self.submit(CNN, max_slots=2, max_batch=BATCH)
        self.await_running(mlp)
        self.await_slots(cnn, 1, "starts next to mlp")
        self.await_that(lambda: self.changes("mlp"), "a larger batch of mlp")
        self.say(f"mlp has measured its gradient noise; {self.changes('mlp')[0]}")
        self.await_state(mlp, "DONE")
        self.await_that(lambda: self.changes("cnn"), "a second rank of cnn")
        self.say(f"mlp has ended; cnn: {self.changes('cnn')[0]}")
        self.start_agent("right", 2)
        self.call("POST", "/nodes/left/drain")
        self.say("left is drained")
        self.await_that(lambda: self.changes("cnn")[1:], "cnn on the other node")
        self.say(f"cnn: {self.changes('cnn')[1]}")
        self.call("POST", f"/jobs/{cnn}/hold")
        self.await_that(lambda: not self.holding(), "cnn to stop")
        self.call("POST", f"/jobs/{cnn}/release")
        self.say("cnn was held, and is released")
        self.await_that(lambda: self.changes("cnn")[2:], "cnn again")
        self.say(f"cnn: {self.changes('cnn')[2]}")
        self.await_state(cnn, "DONE")
        self.compare(MLP, LARGER_BATCH, "larger batch")
        self.compare(CNN, ROUNDING, "rounding")

    def submit(self, training, max_slots, max_batch):
        model, samples = training["model"], training["samples"]
        configurations = [(slots, BATCH) for slots in range(1, max_slots + 1)]
        configurations += [(1, max_batch)] if max_batch > BATCH else []
        job = {
            "owner": "demo",
            "name": model,
            "command": {
                "program": self.python,
                "args": ["-B", *self.arguments(training, self.folder), *paces(training)],
                "env": ENVIRONMENT,
            },
            "spec": {
                "work": {"unit": "SAMPLES", "amount": samples},
                "elasticity": {"minSlots": 1, "maxSlots": max_slots},
                "batch": {"initial": BATCH, "min": BATCH, "max": max_batch, "maxPerDevice": max_batch},
                "profile": {
                    "points": [
                        {
                            "acceleratorType": "stated",
                            "slots": slots,
                            "nodes": 1,
                            "batchSize": batch,
                            "samplesPerSecond": batch / (training["perPass"] + training["perSample"] * batch / slots),
                        }
                        for slots, batch in configurations
                    ]
                },
                "restartPenaltySeconds": 5,
                "changeCosts": {"reconfigureSeconds": 0.1, "rescaleSeconds": 0.5, "migrateSeconds": 1},
            },
        }
        found = self.call("POST", "/jobs", job)
        self.say(f"{model} is submitted: up to {max_slots} slots and a batch of {max_batch}, {samples} samples")
        return found["id"]

    @staticmethod
    def arguments(training, folder):
        record = str(folder / f"{training['model']}.jsonl")
        return [str(TRAINING), training["model"], "--samples", str(training["samples"]), "--record", record]

    def steps(self, model, folder=None):
        return read_record((folder or self.folder) / f"{model}.jsonl")

    def changes(self, model):
        return [
            f"{kind} from {layout(before)} to {layout(after)}, stall {stall:.2f} s"
            for kind, before, after, stall in changes(self.steps(model))
        ]

    def compare(self, training, tolerance, cause):
        """Compares the loss with that of a run without Spur, on one rank, without interruption.

        The last samples that do not fill a batch are left out.
        """
        folder = self.folder / "alone"
        folder.mkdir(exist_ok=True)
        words = [self.python, "-B", *self.arguments(training, folder), "--checkpoints", str(folder / training["model"])]
        subprocess.run(words, check=True, env={**os.environ, **ENVIRONMENT}, stdout=subprocess.DEVNULL)
        ours, alone = (self.steps(training["model"], place)[-1] for place in (self.folder, folder))
        self.say(
            f"{training['model']}: {ours['samples']} samples, loss {ours['testLoss']:.5f}, "
            f"alone {alone['testLoss']:.5f} (tolerance {tolerance:g}: {cause})"
        )
        if alone["samples"] - ours["samples"] >= LARGEST_BATCH or abs(ours["testLoss"] - alone["testLoss"]) > tolerance:
            raise Unexpected(f"{training['model']} ended with {ours}, without Spur with {alone}")


def layout(step):
    ranks = step["ranks"]
    return f"{ranks} rank{'' if ranks == 1 else 's'} with batch {step['batch']}"


def paces(training):
    return ["--per-sample", str(training["perSample"]), "--per-pass", str(training["perPass"])]

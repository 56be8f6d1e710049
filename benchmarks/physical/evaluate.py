#!/usr/bin/env python3
"""Evaluates each new checkpoint of a training of paced.py on a CPU, as a role of its job, until it is stopped.

    python3 evaluate.py mlp --record losses.jsonl
"""

import argparse
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "training"))
import torch  # noqa: E402
from paced import FIRST_TEST_SAMPLE, MODELS, TEST_SAMPLES, flat  # noqa: E402

PERIOD_SECONDS = 0.5


def main():
    parser = argparse.ArgumentParser(description="Evaluates each new checkpoint of a training of paced.py.")
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--record", required=True, metavar="FILE", help="file to which it appends a line per checkpoint")
    options = parser.parse_args()
    torch.set_num_threads(1)
    network, data = MODELS[options.model]
    held_out = data(FIRST_TEST_SAMPLE + TEST_SAMPLES)
    test = [held_out[FIRST_TEST_SAMPLE + number] for number in range(TEST_SAMPLES)]
    inputs, labels = torch.utils.data.default_collate(test)
    model, seen = network(), None
    while True:
        file = newest(pathlib.Path(os.environ["SPUR_CHECKPOINT_DIR"]))
        if file is not None and file.stat().st_mtime_ns != seen:
            seen = file.stat().st_mtime_ns
            model.load_state_dict(torch.load(file, map_location="cpu")["parts"]["model"])
            model.eval()
            with torch.no_grad():
                loss = torch.nn.functional.cross_entropy(*flat(model(inputs), labels)).item()
            own = {"role": os.environ["SPUR_ROLE"], "devices": os.environ["CUDA_VISIBLE_DEVICES"]}
            with open(options.record, "a", encoding="ascii") as record:
                print(json.dumps({"at": time.time(), **own, "testLoss": loss}), file=record)
        time.sleep(PERIOD_SECONDS)


def newest(folder):
    """Returns the newest complete checkpoint; None without one."""
    return max(folder.glob("*/state.pt"), key=lambda file: file.stat().st_mtime_ns, default=None)


if __name__ == "__main__":
    main()

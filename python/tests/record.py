"""Records the samples of each pass of a rank, and reads them as the order in which all ranks trained them."""

import json
import os
import pathlib


def write(step, ids, **more):
    """Appends a pass of this rank to the folder that RECORD names."""
    if os.environ.get("RECORD"):
        generation, rank = os.environ.get("SPUR_GENERATION", "0"), os.environ.get("RANK", "0")
        with open(pathlib.Path(os.environ["RECORD"]) / f"{generation}-{rank}.jsonl", "a", encoding="ascii") as file:
            print(json.dumps({"step": step, "ids": ids, **more}), file=file)


def read(folder):
    """Passes of all ranks and generations in the order of their steps."""
    passes = []
    for path in folder.glob("*.jsonl"):
        generation, rank = map(int, path.stem.split("-"))
        for line in path.read_text(encoding="ascii").splitlines():
            passes.append({**json.loads(line), "generation": generation, "rank": rank})
    return sorted(passes, key=lambda each: (each["generation"], each["step"], each["rank"]))

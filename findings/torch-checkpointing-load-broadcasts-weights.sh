#!/usr/bin/env bash
# torch_checkpointing: a strict load fills a larger weight with copies of a saved weight of size 1.
#
# Seen with torch_checkpointing 0.1.1 and torch 2.15.0 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Documentation (CheckpointLoader.load): "Tensors: data is copied via copy_() into the target tensors"; strict "raises
# an error when there are missing keys". No text says that shapes may differ.
#
# Behavior: no shape is compared, and copy_ of torch broadcasts. A checkpoint with one output or one input channel
# loads into a model with more, where each row or column gets the same weights. Module.load_state_dict refuses each of
# these shapes, since pull request 8619 of torch. A size other than 1 fails here too, by an error of copy_. A job that
# resumes from the checkpoint of another configuration trains on with wrong weights, without a message. No issue of
# torch_checkpointing was found on this.
#
# The packages are installed into a temporary folder (about 6 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q torch_checkpointing==0.1.1 torch==2.15.0 numpy==2.4.6
cat >"$folder/program.py" <<'PROGRAM'
import sys
import torch
from torch_checkpointing import CheckpointManager
from torch_checkpointing.config import SyncCheckpointSaverConfig
from torch_checkpointing.storage.filesystem import LocalFileSystemStorageConfig

def call(function):
    try:
        function()
        return "loaded"
    except Exception as error:
        return type(error).__name__

manager = CheckpointManager(CheckpointManager.Config(
    save=SyncCheckpointSaverConfig(), storage_config=LocalFileSystemStorageConfig(use_direct_io=False)))
for saved in (3, 2), (3, 1), (1, 2), (3, 3):
    source, target = torch.nn.Linear(*saved, bias=False), torch.nn.Linear(3, 2, bias=False)
    with torch.no_grad():
        source.weight.copy_(torch.arange(1.0, 1 + source.weight.numel()).reshape(source.weight.shape))
        target.weight.zero_()
    path = f"{sys.argv[1]}/{saved[0]}-{saved[1]}"
    manager.save(path, {"model": source.state_dict()})
    text = call(lambda: manager.load(path, into={"model": target.state_dict()}, strict=True))
    print(list(source.weight.shape), "to", list(target.weight.shape), text, target.weight.tolist(),
          "load_state_dict", call(lambda: target.load_state_dict(source.state_dict())))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/checkpoints" 2>"$folder/errors" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
[2, 3] to [2, 3] loaded [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] load_state_dict loaded
[1, 3] to [2, 3] loaded [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]] load_state_dict RuntimeError
[2, 1] to [2, 3] loaded [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]] load_state_dict RuntimeError
[3, 3] to [2, 3] RuntimeError [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] load_state_dict RuntimeError
EXPECTED

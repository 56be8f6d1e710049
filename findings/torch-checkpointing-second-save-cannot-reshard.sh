#!/usr/bin/env bash
# torch_checkpointing: of synchronous saves, only the first one can be loaded on another number of ranks.
#
# Seen with torch_checkpointing 0.1.1 and torch 2.15.0 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Documentation (CheckpointManager): the metadata of shards is "auto-wired on both save and load whenever any item
# declares a resharder, so a resharding load cannot silently take the layout-unchanged fast path".
#
# Behavior: three steps are saved on one rank and loaded on two. The manager of metadata returns it once, and then
# None for "unchanged". The asynchronous saver keeps the first one for later saves. The synchronous saver writes what
# it got, so steps 2 and 3 have no metadata.pkl, without a warning. A load on two ranks takes each rank's own file:
# rank 0 fails by its size, rank 1 has none. A job that resumes with another number of GPUs has only its first step.
# On one rank, each step is right. No issue was found on this.
#
# The packages are installed into a temporary folder (about 6 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q torch_checkpointing==0.1.1 torch==2.15.0 numpy==2.4.6
cat >"$folder/program.py" <<'PROGRAM'
import os
import sys
import torch
import torch.distributed as dist
from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh
from torch_checkpointing import CheckpointManager, ItemSpec
from torch_checkpointing.config import AsyncCheckpointSaverConfig, SyncCheckpointSaverConfig
from torch_checkpointing.default_resharder import DefaultResharder
from torch_checkpointing.staging import CheckpointStagerConfig
from torch_checkpointing.storage.filesystem import LocalFileSystemStorageConfig

def build(kind):
    staging = CheckpointStagerConfig(use_pinned_memory=False, use_non_blocking_copy=False)
    save = SyncCheckpointSaverConfig() if kind == "sync" else AsyncCheckpointSaverConfig(staging_config=staging)
    return CheckpointManager(CheckpointManager.Config(
        items={"model": ItemSpec(resharder=DefaultResharder())}, save=save,
        storage_config=LocalFileSystemStorageConfig(use_direct_io=False)))

def state(weights):
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    return {"model": {"weight": distribute_tensor(weights, mesh, [Shard(0)])}}

def load(manager, path):
    target = state(torch.zeros(4))
    try:
        manager.load(path, into=target, strict=True)
        return target["model"]["weight"].to_local().tolist()
    except Exception as error:
        return type(error).__name__

if __name__ == "__main__":
    work, folder = sys.argv[1:]
    dist.init_process_group("gloo")
    for kind in "async", "sync":
        manager = build(kind)
        for step in 1, 2, 3:
            path = f"{folder}/{kind}-{step}"
            if work == "save":
                manager.save(path, state(torch.arange(4.0) + 10 * step))
            else:
                found = [None] * dist.get_world_size()
                dist.all_gather_object(found, load(manager, path))
                if dist.get_rank() == 0:
                    print(kind, "step", step, *sorted(os.listdir(path)), "loaded", *found)
        manager.close()
    dist.destroy_process_group()
PROGRAM
for run in "1 save" "1 load" "2 load"; do
  "$folder/env/bin/python" -m torch.distributed.run --standalone --nproc-per-node "${run% *}" \
    "$folder/program.py" "${run#* }" "$folder/checkpoints" 2>>"$folder/errors"
done | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
async step 1 metadata.pkl model_0.pt loaded [10.0, 11.0, 12.0, 13.0]
async step 2 metadata.pkl model_0.pt loaded [20.0, 21.0, 22.0, 23.0]
async step 3 metadata.pkl model_0.pt loaded [30.0, 31.0, 32.0, 33.0]
sync step 1 metadata.pkl model_0.pt loaded [10.0, 11.0, 12.0, 13.0]
sync step 2 model_0.pt loaded [20.0, 21.0, 22.0, 23.0]
sync step 3 model_0.pt loaded [30.0, 31.0, 32.0, 33.0]
async step 1 metadata.pkl model_0.pt loaded [10.0, 11.0] [12.0, 13.0]
async step 2 metadata.pkl model_0.pt loaded [20.0, 21.0] [22.0, 23.0]
async step 3 metadata.pkl model_0.pt loaded [30.0, 31.0] [32.0, 33.0]
sync step 1 metadata.pkl model_0.pt loaded [10.0, 11.0] [12.0, 13.0]
sync step 2 model_0.pt loaded RuntimeError FileNotFoundError
sync step 3 model_0.pt loaded RuntimeError FileNotFoundError
EXPECTED

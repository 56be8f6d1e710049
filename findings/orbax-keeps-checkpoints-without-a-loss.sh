#!/usr/bin/env bash
# Orbax: a checkpoint whose metric is not a number counts as the best, so the good ones are deleted.
#
# Seen with orbax-checkpoint 0.12.8 and jax 0.10.2 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Behavior: the policy BestN with n=2 keeps the two checkpoints of the lowest loss. It sorts by the metric. A comparison
# with NaN is always false, so the newest checkpoint stays at the end of the best. After a training diverges, two saves
# suffice: the checkpoints of loss 0.4 and 0.3 are deleted, and best_step names one with NaN. The options max_to_keep,
# best_fn and best_mode give the same, for a minimum and a maximum. A restart from the best finds no usable weights.
#
# The packages are installed into a temporary folder (about 0.7 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q orbax-checkpoint==0.12.8 jax==0.10.2
cat >"$folder/program.py" <<'PROGRAM'
import logging, sys
logging.disable(logging.WARNING)
import numpy
import orbax.checkpoint
from orbax.checkpoint.checkpoint_managers import preservation_policy

def loss(metrics):
    return metrics["loss"]

policy = preservation_policy.BestN(get_metric_fn=loss, reverse=True, n=2)
options = orbax.checkpoint.CheckpointManagerOptions(preservation_policy=policy, best_fn=loss, best_mode="min")
with orbax.checkpoint.CheckpointManager(sys.argv[1], options=options) as manager:
    for step, value in enumerate([0.5, 0.4, 0.3, float("nan"), float("nan")]):
        state = orbax.checkpoint.args.StandardSave({"weight": numpy.ones(1)})
        manager.save(step, args=state, metrics={"loss": value})
        manager.wait_until_finished()
        print("step", step, "loss", value, "kept", list(manager.all_steps()), "best", manager.best_step())
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/checkpoints" 2>"$folder/errors" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
step 0 loss 0.5 kept [0] best 0
step 1 loss 0.4 kept [0, 1] best 1
step 2 loss 0.3 kept [1, 2] best 2
step 3 loss nan kept [2, 3] best 3
step 4 loss nan kept [3, 4] best 4
EXPECTED

#!/usr/bin/env bash
# Grain: a repeated interleave of files never reads some files from the third epoch on, and reads others twice.
#
# Seen with grain 0.2.18 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Behavior: the docstring of RepeatIterDataset says that each epoch is identical. For an epoch, the iterator of the
# interleave is reset to its first state. It takes the list of open files out of that state without a copy, and changes
# the list. So the first state names the last files after epoch 2. With cycle_length=2, half of four files is lost in
# all later epochs, with no warning and no change of the number of samples. With cycle_length=1, the last file replaces
# the first. All is right if cycle_length covers all files. A second set_state from one saved state gives the same.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q grain==0.2.18
cat >"$folder/program.py" <<'PROGRAM'
import grain
from grain.experimental import InterleaveIterDataset, RepeatIterDataset

for cycle in 2, 4:
    files = [grain.MapDataset.source([name + "0", name + "1"]).to_iter_dataset() for name in "ABCD"]
    samples = list(RepeatIterDataset(InterleaveIterDataset(files, cycle_length=cycle), num_epochs=4))
    for start in range(0, len(samples), 8):
        print("cycle", cycle, "epoch", start // 8 + 1, *samples[start:start + 8])
PROGRAM
"$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
cycle 2 epoch 1 A0 B0 A1 B1 C0 D0 C1 D1
cycle 2 epoch 2 A0 B0 A1 B1 C0 D0 C1 D1
cycle 2 epoch 3 C0 D0 C1 D1 C0 D0 C1 D1
cycle 2 epoch 4 C0 D0 C1 D1 C0 D0 C1 D1
cycle 4 epoch 1 A0 B0 C0 D0 A1 B1 C1 D1
cycle 4 epoch 2 A0 B0 C0 D0 A1 B1 C1 D1
cycle 4 epoch 3 A0 B0 C0 D0 A1 B1 C1 D1
cycle 4 epoch 4 A0 B0 C0 D0 A1 B1 C1 D1
EXPECTED

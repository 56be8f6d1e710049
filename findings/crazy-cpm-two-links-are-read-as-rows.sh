#!/usr/bin/env bash
# CrazyCPM: of exactly two dependencies it makes two others, and the project ends before its critical path.
#
# Seen with crazy-cpm 1.0.0, numpy 1.26.4, pandas 2.3.3 and scipy 1.16.3 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: the links of activities may be a list of pairs ("[1, 2],  # Activity 1 -> Activity 2"), or a row of
# sources and a row of targets.
#
# Behavior: the pairs 1 -> 3 and 2 -> 4 are also two rows of length two, and the rows win: 1 -> 2 and 3 -> 4 are built.
# With durations 1, 9, 1 and 9 the critical path is 18, and CrazyCPM reports 10. With 5, 5, 2 and 3 it is 8, and 10 is
# reported. The same pairs as a dictionary or as a NumPy array are right. The example of the documentation,
# [[1, 2], [2, 3]], means the same both ways. A scheduler with two dependencies starts a job before its input exists.
# No report was found.
#
# A C compiler is required. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q crazy-cpm==1.0.0 numpy==1.26.4 pandas==2.3.3 scipy==1.16.3
cat >"$folder/program.py" <<'PROGRAM'
import numpy as np
from crazy_cpm import NetworkModel

def show(name, links, durations):
    activities = {number: {"letter": str(number), "expected": float(duration)}
                  for number, duration in enumerate(durations, 1)}
    model = NetworkModel(activities, links=links)
    starts = {a.wbs_id: float(a.early_start[0]) for a in model.activities if a.wbs_id}
    print(name, [starts[number] for number in sorted(starts)], max(float(e.early[0]) for e in model.events))

pairs = [[1, 3], [2, 4]]
for durations in [(1, 9, 1, 9), (5, 5, 2, 3)]:
    show("list", pairs, durations)
    show("array", np.array(pairs), durations)
    show("dictionary", {"src": [1, 2], "dst": [3, 4]}, durations)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
list [0.0, 1.0, 0.0, 1.0] 10.0
array [0.0, 0.0, 1.0, 9.0] 18.0
dictionary [0.0, 0.0, 1.0, 9.0] 18.0
list [0.0, 5.0, 0.0, 2.0] 10.0
array [0.0, 0.0, 5.0, 5.0] 8.0
dictionary [0.0, 0.0, 5.0, 5.0] 8.0
EXPECTED

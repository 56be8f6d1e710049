#!/usr/bin/env bash
# niryukti: an equation of integers with decimal coefficients is called infeasible, although it has a solution.
#
# Seen with niryukti 0.2.2 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Documentation: "LP, supported convex sparse QP, MILP and convex MIQP are available"; coefficients are numbers.
# "Always inspect status and verification diagnostics rather than assuming a returned point is optimal".
#
# Behavior: 2 jobs of 0.47 GPUs and 1 of 0.44 fill 1.38 GPUs exactly, but the status is INFEASIBLE. The same equation
# times 100 is OPTIMAL, and so are that of continuous variables and the row with <=. Of 100 random equations with two
# decimals, each made from a solution, 65 are infeasible. Times 100, none is. A scheduler by this solver reports that
# no plan exists. No issue of niryukti was found on this.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q niryukti==0.2.2
cat >"$folder/program.py" <<'PROGRAM'
import random
from niryukti import Model

def solve(sizes, total, sense="=", integer=True):
    model = Model()
    for index in range(len(sizes)):
        model.add_var(f"jobs {index}", lb=0, ub=3, integer=integer)
    model.add_constraint({f"jobs {index}": size for index, size in enumerate(sizes)}, sense, total)
    model.set_objective({f"jobs {index}": 1 for index in range(len(sizes))}, sense="max")
    return model.solve(device="cpu")["status"]

print("0.47 and 0.44 of 1.38", solve([0.47, 0.44], 1.38), "times 100", solve([47, 44], 138),
      "continuous", solve([0.47, 0.44], 1.38, integer=False), "at most", solve([0.47, 0.44], 1.38, sense="<="))
numbers, counts = random.Random(1), {}
for _ in range(100):
    sizes = [numbers.randint(1, 500) for _ in range(3)]
    total = sum(size * numbers.randint(0, 3) for size in sizes)
    key = solve([size / 100 for size in sizes], total / 100), "times 100", solve(sizes, total)
    counts[key] = counts.get(key, 0) + 1
for key, count in sorted(counts.items()):
    print(*key, "cases", count)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
0.47 and 0.44 of 1.38 INFEASIBLE times 100 OPTIMAL continuous OPTIMAL at most OPTIMAL
INFEASIBLE times 100 OPTIMAL cases 65
OPTIMAL times 100 OPTIMAL cases 35
EXPECTED

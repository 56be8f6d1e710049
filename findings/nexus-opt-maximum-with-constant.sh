#!/usr/bin/env bash
# nexus-opt: the objective of a maximum with a constant is off by three times the constant.
#
# Seen with nexus-opt 0.1.0 and highspy 1.16.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation: "Variables are continuous, integer or binary. Constraints are written with ordinary <=, >=, ==".
# Expressions and the objective accept a constant.
#
# Behavior: the values of the variables are optimal, but the objective is not that of the values. A revenue of 10 with
# a fixed income of 5 is 0 instead of 15, and with fixed costs of 5 it is 20 instead of 5. A minimum is right. So a
# choice between two plans by their objective prefers the one with higher fixed costs. No issue of nexus-opt was found
# on this; cuOpt had a like fault (issue 111).
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q nexus-opt==0.1.0 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import nexus_opt

for kind in "variable", "integer":
    for constant in 0, 5, -5:
        for sense in "minimize", "maximize":
            model = nexus_opt.Model()
            big = getattr(model, kind)("big", lower=1, upper=2)
            small = getattr(model, kind)("small", lower=0, upper=3)
            model.add(big + small <= 4)
            revenue = 3 * big + 2 * small + constant
            getattr(model, sense)(revenue)
            result = model.solve()
            total = 3 * result.value(big) + 2 * result.value(small) + constant
            print(kind, sense, "constant", constant, result.status, "objective", result.objective,
                  "of the values", total)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | grep objective | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
variable minimize constant 0 optimal objective 3.0 of the values 3.0
variable maximize constant 0 optimal objective 10.0 of the values 10.0
variable minimize constant 5 optimal objective 8.0 of the values 8.0
variable maximize constant 5 optimal objective 0.0 of the values 15.0
variable minimize constant -5 optimal objective -2.0 of the values -2.0
variable maximize constant -5 optimal objective 20.0 of the values 5.0
integer minimize constant 0 optimal objective 3.0 of the values 3.0
integer maximize constant 0 optimal objective 10.0 of the values 10.0
integer minimize constant 5 optimal objective 8.0 of the values 8.0
integer maximize constant 5 optimal objective 0.0 of the values 15.0
integer minimize constant -5 optimal objective -2.0 of the values -2.0
integer maximize constant -5 optimal objective 20.0 of the values 5.0
EXPECTED

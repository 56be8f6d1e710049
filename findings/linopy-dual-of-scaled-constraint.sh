#!/usr/bin/env bash
# linopy: the dual model of a model with scaling has another optimum than the model.
#
# Seen with linopy 0.10.1 and highspy 1.16.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (Model.dualize): "Strong duality guarantees that at optimality: primal objective = dual objective".
# The dual variables "can be compared directly with m.constraints[con_name].dual".
#
# Behavior: dualize takes the coefficients and costs from the scaled matrix, and the right sides from the unscaled
# model. With 8 GPUs in a row scaled by 100, the optimum of the dual is 0.24 instead of 21, far below the 21 that the
# model reaches. The price of a GPU is 0.03 instead of 2. With a scaled objective, both are 100 times too high. Scaled
# variables are right, and so are the duals of the model itself. No issue of linopy was found on this.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q linopy==0.10.1 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import linopy

for scaling in (1, 1, 1), (100, 1, 1), (1, 100, 1), (1, 1, 100):
    row, column, objective = scaling
    model = linopy.Model()
    big = model.add_variables(lower=0, upper=5, name="big", scaling=column)
    small = model.add_variables(lower=0, upper=10, name="small")
    gpus = model.add_constraints(big + small <= 8, name="gpus", scaling=row)
    model.add_objective(3 * big + 2 * small, sense="max", scaling=objective)
    dual = model.dualize()
    for each in model, dual:
        each.solve("highs", output_flag=False)
    price, other = float(model.constraints["gpus"].dual), float(dual.variables["gpus"].solution)
    print(scaling, "model", round(model.objective.value, 6), "price", round(price, 6),
          "dual model", round(dual.objective.value, 6), "price", round(other, 6))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" | grep price | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
(1, 1, 1) model 21.0 price 2.0 dual model 21.0 price 2.0
(100, 1, 1) model 21.0 price 2.0 dual model 0.24 price 0.03
(1, 100, 1) model 21.0 price 2.0 dual model 21.0 price 2.0
(1, 1, 100) model 21.0 price 2.0 dual model 2100.0 price 200.0
EXPECTED

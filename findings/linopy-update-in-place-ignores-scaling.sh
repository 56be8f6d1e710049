#!/usr/bin/env bash
# linopy: an update in place writes unscaled numbers into the scaled model of the solver.
#
# Seen with linopy 0.10.1 and highspy 1.16.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (add_constraints, scaling): "Solver-side left-hand-side coefficients and right-hand-side values are
# multiplied by this factor." Solver.solve: "diff against the previous build and either apply in place or rebuild".
#
# Behavior: the plan of the next round changes one number. Without scaling, the update and a new solver agree. The
# difference of the two models has the numbers of the user, and the solver has scaled rows, columns and costs. With 4
# free GPUs in a row scaled by 100, the solver reads 0.04 GPUs: revenue 0.12 instead of 12. With a scaled variable, 2
# units become 0.02, and a revenue of 9 becomes 900. Each state is optimal. No issue of linopy was found on this.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q linopy==0.10.1 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import linopy

def build(gpus, most, revenue, row=1, column=1, objective=1):
    model = linopy.Model()
    big = model.add_variables(lower=0, upper=most, name="big", scaling=column)
    small = model.add_variables(lower=0, upper=10, name="small")
    model.add_constraints(big + small <= gpus, name="gpus", scaling=row)
    model.add_objective(revenue * big + 2 * small, sense="max", scaling=objective)
    return model

def create(model):
    solver = linopy.solvers.Solver.from_name("highs", model, io_api="direct", options={"output_flag": False})
    solver.solve(assign=True)
    return solver, round(model.objective.value, 6)

for changed in (4, 5, 3), (8, 2, 3), (8, 5, 9):
    for scaling in {}, {"row": 100}, {"column": 100}, {"objective": 100}:
        model = build(*changed, **scaling)
        solver, _ = create(build(8, 5, 3, **scaling))
        result = solver.solve(model, assign=True, disallow_rebuild=True)
        update = round(model.objective.value, 6)
        print(changed, scaling, result.status.termination_condition.value, update, "new solver", create(model)[1])
PROGRAM
"$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" | grep new | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
(4, 5, 3) {} optimal 12.0 new solver 12.0
(4, 5, 3) {'row': 100} optimal 0.12 new solver 12.0
(4, 5, 3) {'column': 100} optimal 12.0 new solver 12.0
(4, 5, 3) {'objective': 100} optimal 12.0 new solver 12.0
(8, 2, 3) {} optimal 18.0 new solver 18.0
(8, 2, 3) {'row': 100} optimal 18.0 new solver 18.0
(8, 2, 3) {'column': 100} optimal 16.02 new solver 18.0
(8, 2, 3) {'objective': 100} optimal 18.0 new solver 18.0
(8, 5, 9) {} optimal 51.0 new solver 51.0
(8, 5, 9) {'row': 100} optimal 51.0 new solver 51.0
(8, 5, 9) {'column': 100} optimal 4506.0 new solver 51.0
(8, 5, 9) {'objective': 100} optimal 16.0 new solver 51.0
EXPECTED

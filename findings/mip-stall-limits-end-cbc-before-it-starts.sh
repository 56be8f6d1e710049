#!/usr/bin/env bash
# Python-MIP: a limit for a search that does not improve makes CBC end at once, without a solution.
#
# Seen with mip 2.0.0 and 1.17.6 and the CBC that each brings (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation (Model.optimize): max_seconds_same_incumbent and max_nodes_same_incumbent end the search "if a
# feasible solution is available" and it was not improved for that long.
#
# Behavior: Python-MIP passes the options maxSecondsBest and maxNodesBest, which this CBC does not know. CBC prints
# "Unrecognized parameter" and does not solve. The status is NO_SOLUTION_FOUND, as if the time was too short, and the
# bound is -1.8e308 for a maximum. A scheduler that keeps its plan if the solver has none never gets a new plan.
#
# The packages are installed into temporary folders.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/program.py" <<'PROGRAM'
import mip

for limits in {}, {"max_seconds": 60}, {"max_seconds_same_incumbent": 60}, {"max_nodes_same_incumbent": 1000}:
    model = mip.Model(sense=mip.MAXIMIZE, solver_name="CBC")
    model.verbose = 0
    chosen = [model.add_var(var_type=mip.BINARY) for _ in range(4)]
    model += mip.xsum((3 + i) * x for i, x in enumerate(chosen)) <= 10
    model.objective = mip.xsum((4 + i) * x for i, x in enumerate(chosen))
    status = model.optimize(**limits)
    print(limits, status.name, model.objective_value, model.objective_bound, flush=True)
PROGRAM
for version in 1.17.6 2.0.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install -q "mip==$version"
  "$folder/$version/bin/python" "$folder/program.py" >"$folder/output"
  cat "$folder/output"
  diff <(grep '^{' "$folder/output") - <<'EXPECTED'
{} OPTIMAL 12.0 12.0
{'max_seconds': 60} OPTIMAL 12.0 12.0
{'max_seconds_same_incumbent': 60} NO_SOLUTION_FOUND None -1.7976931348623157e+308
{'max_nodes_same_incumbent': 1000} NO_SOLUTION_FOUND None -1.7976931348623157e+308
EXPECTED
  [[ $(grep -c 'Unrecognized parameter' "$folder/output") == 2 ]]
done

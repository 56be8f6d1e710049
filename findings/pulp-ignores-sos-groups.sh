#!/usr/bin/env bash
# PuLP: four solvers ignore the SOS groups of a model, and report a plan that breaks them as optimal.
#
# Seen with pulp 4.2.0, highspy 1.16.0, cbcbox 2.935, pyscipopt 6.3.0 and ortools 9.15.6755 (CPython 3.12,
# Linux x86-64), 2026-12-01.
#
# Documentation: LpProblem.add_sos_group adds one SOS group. In a group of type 1, at most one variable is not zero. The
# interfaces to SAS refuse a model with such a group.
#
# Behavior: a job gets up to 4 GPUs of one of two types, and the objective is the speed. With the group, the maximum is
# 8, with GPUs of the second type only. HiGHS, CBC (by its default, an MPS file), SCIP and CP-SAT take 3 GPUs of the
# first type and 4 of the second, with the status "Optimal" and no warning. SCIP and CBC know SOS groups. The same
# model as an LP file has the group, and SCIP finds 8 in it. No report was found.
#
# The first Python from 3.12 on is used. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for python in python3 python3.12 python3.13 "$HOME"/.pyenv/versions/3.1[23].*/bin/python3; do
  if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))" 2>/dev/null; then break; fi
done
"$python" -m venv "$folder/env"
"$folder/env/bin/pip" install -q pulp==4.2.0 highspy==1.16.0 cbcbox==2.935 pyscipopt==6.3.0 ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
import sys
import pulp
import pyscipopt
from pulp._rustcore import SosKind

problem = pulp.LpProblem("plan", pulp.LpMaximize)
first = problem.add_variable("first", 0, 4)
second = problem.add_variable("second", 0, 4)
problem += first + 2 * second
problem += first + second <= 7
problem.add_sos_group(SosKind.Sos1, "type", {first: 1, second: 2})
print("has_sos", problem.has_sos())
for solver in pulp.HiGHS, pulp.COIN_CMD, pulp.SCIP_PY, pulp.CPSAT:
    status = problem.solve(solver(msg=False)).status_str
    print(f"plan {solver.name} {status} first {first.varValue:g} second {second.varValue:g}", flush=True)

problem.writeLP(sys.argv[1])
scip = pyscipopt.Model()
scip.hideOutput()
scip.readProblem(sys.argv[1])
scip.optimize()
print(f"plan of the LP file, SCIP {scip.getStatus()} {scip.getObjVal():g}")
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/plan.lp" >"$folder/log" 2>&1
grep -E "^(has_sos|plan) " "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
has_sos True
plan HiGHS Optimal first 3 second 4
plan COIN_CMD Optimal first 3 second 4
plan SCIP_PY Optimal first 3 second 4
plan CPSAT Optimal first 3 second 4
plan of the LP file, SCIP optimal 8
EXPECTED

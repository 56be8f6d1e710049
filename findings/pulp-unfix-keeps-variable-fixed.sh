#!/usr/bin/env bash
# PuLP: a variable that was fixed stays fixed after unfixValue.
#
# Seen with pulp 4.2.0, and pulp 3.3.2 and highspy 1.16.0 for comparison (CPython 3.12, Linux x86-64), 2026-12-01.
#
# Documentation: fixValue "changes lower bound and upper bound to the initial value". unfixValue is its opposite, and
# sets "_lowbound_original" and "_upbound_original".
#
# Behavior: in PuLP 4 these two attributes are the present bounds, so unfixValue changes nothing. A search by
# neighborhoods fixes three of four jobs, solves, and releases them for the next neighborhood. With PuLP 3 the value
# rises from 8 to the maximum of 20. With PuLP 4 it stays at 8, since each variable stays where it was first fixed,
# also in the last solution of the whole problem. The status is Optimal each time. No report was found.
#
# The first Python from 3.12 on is used. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for python in python3 python3.12 python3.13 "$HOME"/.pyenv/versions/3.1[23].*/bin/python3; do
  if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))" 2>/dev/null; then break; fi
done
for version in 3.3.2 4.2.0; do
  "$python" -m venv "$folder/$version"
  "$folder/$version/bin/pip" install -q "pulp==$version" highspy==1.16.0
done
cat >"$folder/program.py" <<'PROGRAM'
import pulp

problem = pulp.LpProblem("plan", pulp.LpMaximize)
gpus = [problem.add_variable(f"job_{job}", 0, 5, "Integer") for job in range(4)]
problem += pulp.lpSum(gpus)
problem += pulp.lpSum(gpus) <= 20
for variable in gpus:
    variable.setInitialValue(1)
print("solution PuLP", pulp.__version__)
for free in range(4):
    for job, variable in enumerate(gpus):
        if job != free:
            variable.fixValue()
    problem.solve(pulp.HiGHS(msg=False))
    for variable in gpus:
        variable.unfixValue()
    bounds = [(int(variable.lowBound), int(variable.upBound)) for variable in gpus]
    print("solution", [int(variable.varValue) for variable in gpus], "bounds", *bounds, flush=True)
problem.solve(pulp.HiGHS(msg=False))
print("solution of the whole problem", [int(variable.varValue) for variable in gpus])
PROGRAM
for version in 3.3.2 4.2.0; do
  "$folder/$version/bin/python" "$folder/program.py" >"$folder/log"
  grep "^solution" "$folder/log"
done | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
solution PuLP 3.3.2
solution [5, 1, 1, 1] bounds (0, 5) (0, 5) (0, 5) (0, 5)
solution [5, 5, 1, 1] bounds (0, 5) (0, 5) (0, 5) (0, 5)
solution [5, 5, 5, 1] bounds (0, 5) (0, 5) (0, 5) (0, 5)
solution [5, 5, 5, 5] bounds (0, 5) (0, 5) (0, 5) (0, 5)
solution of the whole problem [5, 5, 5, 5]
solution PuLP 4.2.0
solution [5, 1, 1, 1] bounds (0, 5) (1, 1) (1, 1) (1, 1)
solution [5, 1, 1, 1] bounds (5, 5) (1, 1) (1, 1) (1, 1)
solution [5, 1, 1, 1] bounds (5, 5) (1, 1) (1, 1) (1, 1)
solution [5, 1, 1, 1] bounds (5, 5) (1, 1) (1, 1) (1, 1)
solution of the whole problem [5, 1, 1, 1]
EXPECTED

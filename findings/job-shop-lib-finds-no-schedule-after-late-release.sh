#!/usr/bin/env bash
# JobShopLib: its CP-SAT solver finds no schedule if a release date pushes the makespan above the sum of the durations.
#
# Seen with job-shop-lib 1.7.2 and ortools 9.12.4544 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation (ORToolsSolver.solve): NoSolutionFoundError means that no solution "could be found for the given
# problem within the time limit". Release dates are lower bounds of the starts; an instance without deadlines always
# has a schedule.
#
# Behavior: the model bounds each end by the sum of all durations, which is 10 here. With a release date of 5 the
# optimum is 10 and is found. With 6 the solver raises NoSolutionFoundError at once, while a dispatching rule of the
# same package needs 11. So a job that is submitted later than the total work of the others makes the whole instance
# look infeasible.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q job-shop-lib==1.7.2 ortools==9.12.4544
cat >"$folder/program.py" <<'PROGRAM'
from job_shop_lib import JobShopInstance, Operation
from job_shop_lib.constraint_programming import ORToolsSolver
from job_shop_lib.dispatching.rules import DispatchingRuleSolver
from job_shop_lib.exceptions import NoSolutionFoundError

for release in 0, 5, 6, 100:
    first = [Operation(0, 3, release_date=release), Operation(1, 2)]
    instance = JobShopInstance([first, [Operation(1, 4), Operation(0, 1)]])
    try:
        exact = ORToolsSolver(max_time_in_seconds=60)(instance).makespan()
    except NoSolutionFoundError:
        exact = "no solution"
    rule = DispatchingRuleSolver(dispatching_rule="first_come_first_served")(instance).makespan()
    print("release", release, "CP-SAT", exact, "rule", rule, "sum", instance.total_duration)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
release 0 CP-SAT 6 rule 6 sum 10
release 5 CP-SAT 10 rule 10 sum 10
release 6 CP-SAT no solution rule 11 sum 10
release 100 CP-SAT no solution rule 105 sum 10
EXPECTED

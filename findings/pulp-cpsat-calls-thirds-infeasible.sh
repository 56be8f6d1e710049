#!/usr/bin/env bash
# PuLP with CP-SAT: three jobs of 1/3 GPU do not fill a GPU, and an integer is below its lower bound.
#
# Seen with pulp 4.2.0, ortools 9.15.6755 and highspy 1.16.0 (CPython 3.12, Linux x86-64), 2026-12-01.
#
# Documentation (README and CPSAT): each variable must have finite bounds, and "continuous variables are solved on
# their integer-rounded domain". Coefficients need not be integers; a message refuses what CP-SAT cannot take.
#
# Behavior: jobs of 1/3 GPU must fill one GPU. The plan is three jobs, which HiGHS finds. With CPSAT the status is
# Infeasible, so a proof. PuLP takes 15 decimals of each number: 333333333333333 for a third, and 10 to the power of 15
# for the GPU. The same is true for 1/6 and 1/7, not for 1/4. Three jobs of 2/3 GPU get a limit of two GPUs, and
# two jobs fit instead of three. PuLP also truncates the bounds of integers toward 0. From 0.5 to 4.5 becomes 0 to
# 4, and the minimum is 0, for which PuLP's own valid() is False. No report was found.
#
# The first Python from 3.12 on is used. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for python in python3 python3.12 python3.13 "$HOME"/.pyenv/versions/3.1[23].*/bin/python3; do
  if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))" 2>/dev/null; then break; fi
done
"$python" -m venv "$folder/env"
"$folder/env/bin/pip" install -q pulp==4.2.0 ortools==9.15.6755 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import pulp

def show(name, sense, lower, upper, part, limit, relation):
    for solver in pulp.HiGHS, pulp.CPSAT:
        problem = pulp.LpProblem("plan", sense)
        jobs = problem.add_variable("jobs", lower, upper, "Integer")
        problem += 1 * jobs
        if part is not None:
            problem += part * jobs == limit if relation == "=" else part * jobs <= limit
        status = problem.solve(solver(msg=False)).status_str
        value = jobs.varValue
        print("plan", name, solver.name, status, "none" if value is None else f"jobs {value:g} valid {jobs.valid(0)}",
              flush=True)

for parts in 3, 4, 6, 7:
    show(f"1/{parts} each, full", pulp.LpMaximize, 0, 9, 1 / parts, 1, "=")
show("2/3 each, at most 2", pulp.LpMaximize, 0, 9, 2 / 3, 2, "<")
show("from 0.5 to 4.5", pulp.LpMinimize, 0.5, 4.5, None, None, None)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" >"$folder/log"
grep "^plan" "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
plan 1/3 each, full HiGHS Optimal jobs 3 valid True
plan 1/3 each, full CPSAT Infeasible none
plan 1/4 each, full HiGHS Optimal jobs 4 valid True
plan 1/4 each, full CPSAT Optimal jobs 4 valid True
plan 1/6 each, full HiGHS Optimal jobs 6 valid True
plan 1/6 each, full CPSAT Infeasible none
plan 1/7 each, full HiGHS Optimal jobs 7 valid True
plan 1/7 each, full CPSAT Infeasible none
plan 2/3 each, at most 2 HiGHS Optimal jobs 3 valid True
plan 2/3 each, at most 2 CPSAT Optimal jobs 2 valid True
plan from 0.5 to 4.5 HiGHS Optimal jobs 1 valid True
plan from 0.5 to 4.5 CPSAT Optimal jobs 0 valid False
EXPECTED

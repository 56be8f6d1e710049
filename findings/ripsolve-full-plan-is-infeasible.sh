#!/usr/bin/env bash
# ripsolve: it calls small models infeasible if their rows leave exactly one plan.
#
# Seen with ripsolve 0.4.0, and highspy 1.16.0 for comparison (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "A branch-and-cut solver for mixed-integer programs", with the interface of gurobipy. Status 3 is
# INFEASIBLE, as in gurobipy.
#
# Behavior: two kinds of nodes have a share from 0 to 1. Their speed, 1 and 7, must be 7 at least, and their power, 2
# and 1, must be 1 at most. The plan is 0 and 1. All numbers are small integers, and HiGHS finds the plan. ripsolve
# reports INFEASIBLE, that is, a proof. With a speed of 6.999 it finds a plan. A cluster that is exactly full gives such
# rows. The script makes 5,000 models, each row of which is met with equality by a known plan, and counts the status
# INFEASIBLE, with continuous and with mixed variables. With integers only it did not occur. No report was found.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q ripsolve==0.4.0 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import random
import highspy
import ripsolve
from ripsolve import GRB

def ripsolve_plan(uppers, kinds, rows):
    model = ripsolve.Model("plan")
    model.setParam("OutputFlag", 0)
    shares = [model.addVar(lb=0, ub=upper, vtype=kind) for upper, kind in zip(uppers, kinds)]
    model.setObjective(ripsolve.quicksum(shares), GRB.MINIMIZE)
    for coefficients, sense, side in rows:
        sum_ = ripsolve.quicksum(coefficient * share for coefficient, share in zip(coefficients, shares))
        model.addConstr(sum_ <= side if sense == "<=" else sum_ >= side)
    model.optimize()
    return "INFEASIBLE" if model.Status == GRB.INFEASIBLE else [round(share.X, 3) for share in shares]

def highs_plan(uppers, rows):
    solver = highspy.Highs()
    solver.silent()
    shares = [solver.addVariable(lb=0, ub=upper, obj=1) for upper in uppers]
    for coefficients, sense, side in rows:
        sum_ = sum(coefficient * share for coefficient, share in zip(coefficients, shares))
        solver.addConstr(sum_ <= side if sense == "<=" else sum_ >= side)
    solver.run()
    return [round(value, 3) for value in solver.getSolution().col_value]

for speed in 7, 6.999:
    rows = [([1, 7], ">=", speed), ([2, 1], "<=", 1)]
    plans = highs_plan([1, 1], rows), ripsolve_plan([1, 1], "CC", rows)
    print("plan speed", speed, "HiGHS", plans[0], "ripsolve", plans[1], flush=True)
source = random.Random(1)
for kinds in "C", "CI", "I":
    infeasible = 0
    for _ in range(5000):
        size = source.randint(2, 4)
        uppers = [source.randint(1, 6) for _ in range(size)]
        plan = [source.choice((0, upper)) for upper in uppers]
        rows = []
        for _ in range(source.randint(2, 4)):
            coefficients = [source.randint(0, 9) for _ in range(size)]
            side = sum(coefficient * share for coefficient, share in zip(coefficients, plan))
            rows.append((coefficients, source.choice(("<=", ">=")), side))
        infeasible += ripsolve_plan(uppers, [source.choice(kinds) for _ in range(size)], rows) == "INFEASIBLE"
    print("plan kinds", kinds, "INFEASIBLE", infeasible, "of 5000 models with a plan")
PROGRAM
"$folder/env/bin/python" "$folder/program.py" >"$folder/log"
grep "^plan" "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
plan speed 7 HiGHS [0.0, 1.0] ripsolve INFEASIBLE
plan speed 6.999 HiGHS [0.0, 1.0] ripsolve [0.0, 1.0]
plan kinds C INFEASIBLE 153 of 5000 models with a plan
plan kinds CI INFEASIBLE 92 of 5000 models with a plan
plan kinds I INFEASIBLE 0 of 5000 models with a plan
EXPECTED

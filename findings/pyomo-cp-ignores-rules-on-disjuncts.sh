#!/usr/bin/env bash
# pyomo-cp: a logical constraint on the indicators of disjuncts has no effect, and the result is called optimal.
#
# Seen with pyomo-cp 0.2.0, pyomo 6.10.1, ortools 9.15.6755 and highspy 1.16.0 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: the package takes models of pyomo.gdp with logical constraints and Boolean variables, in place of big-M
# and a MIP solver. It says of its logic only that global constraints are missing.
#
# Behavior: each of two jobs takes 2 on the fast machine or 5 on the slow one. A logical constraint says that not both
# are fast, so the least total is 7; gdp.bigm with HiGHS finds 7. pyomo-cp reports optimal with 4: both are fast. It
# makes its own Boolean for the choice of a disjunct, and does not tie it to indicator_var, which the constraint names.
# So indicator_var gets no value from the solution either, and a fixed one has no effect: with the fast machine
# forbidden for both, the total stays 4 and not 10. With other Boolean variables, which each disjunct sets, it works.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q pyomo-cp==0.2.0 pyomo==6.10.1 ortools==9.15.6755 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import pyomo.environ as pyo
import pyomo_cp
from pyomo.gdp import Disjunct, Disjunction

def show(solver, rule):
    model = pyo.ConcreteModel()
    model.time = pyo.Var([0, 1], domain=pyo.Integers, bounds=(0, 9))
    model.fast = Disjunct([0, 1], rule=lambda d, job: setattr(d, "c", pyo.Constraint(expr=model.time[job] >= 2)))
    model.slow = Disjunct([0, 1], rule=lambda d, job: setattr(d, "c", pyo.Constraint(expr=model.time[job] >= 5)))
    model.choice = Disjunction([0, 1], rule=lambda m, job: [m.fast[job], m.slow[job]])
    fast = [model.fast[job].indicator_var for job in (0, 1)]
    if rule == "not both fast":
        model.rule = pyo.LogicalConstraint(expr=pyo.lnot(pyo.land(*fast)))
    elif rule == "none fast":
        for job in fast:
            job.fix(False)
    elif rule == "not both, own Booleans":
        model.own = pyo.BooleanVar([0, 1])
        for job in 0, 1:
            model.fast[job].own = pyo.LogicalConstraint(expr=model.own[job])
        model.rule = pyo.LogicalConstraint(expr=pyo.lnot(pyo.land(model.own[0], model.own[1])))
    model.total = pyo.Objective(expr=model.time[0] + model.time[1])
    if solver == "appsi_highs":
        pyo.TransformationFactory("gdp.bigm").apply_to(model)
    result = pyo.SolverFactory(solver).solve(model)
    print(f"{rule}: {solver} {result.solver.termination_condition}", pyo.value(model.total),
          "indicators without a value:", sum(job.value is None for job in fast))

for rule in "not both fast", "none fast", "not both, own Booleans":
    show("appsi_highs", rule)
    show("cpsat", rule)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
not both fast: appsi_highs optimal 7.0 indicators without a value: 0
not both fast: cpsat optimal 4 indicators without a value: 2
none fast: appsi_highs optimal 10.0 indicators without a value: 0
none fast: cpsat optimal 4 indicators without a value: 0
not both, own Booleans: appsi_highs optimal 7.0 indicators without a value: 0
not both, own Booleans: cpsat optimal 7 indicators without a value: 2
EXPECTED

#!/usr/bin/env bash
# MathOpt of OR-Tools for Python reports every rejection of a solver as an AttributeError without the reason.
#
# Seen with ortools 9.15.6755 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Behavior: the binding raises a StatusNotOk with a clear text. mathopt.solve converts it with `err.canonical_code`, which that
# class does not have. So a parameter that a solver lacks (CP-SAT: iteration_limit, HiGHS: threads, GLOP: node_limit), an
# integer variable for GLOP, and a solver that is not linked (SANTORINI, GLPK) all give the same AttributeError; the text is
# only in its __context__.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
from ortools.math_opt.python import mathopt

def solve(solver, integer=False, **parameters):
    model = mathopt.Model()
    model.maximize(model.add_variable(lb=0, ub=1, is_integer=integer))
    try:
        print(solver.name, mathopt.solve(model, solver, params=mathopt.SolveParameters(**parameters)).termination.reason.name)
    except Exception as error:
        print(solver.name, f"{type(error).__name__}: {error}", "|", error.__context__)

solve(mathopt.SolverType.CP_SAT)
solve(mathopt.SolverType.CP_SAT, iteration_limit=3)
solve(mathopt.SolverType.HIGHS)
solve(mathopt.SolverType.HIGHS, threads=1)
solve(mathopt.SolverType.GLOP, integer=True)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" >"$folder/output" 2>/dev/null
cat "$folder/output"
lost="AttributeError: 'StatusNotOk' object has no attribute 'canonical_code'"
[[ $(grep -c "$lost" "$folder/output") == 3 && $(grep -c OPTIMAL "$folder/output") == 2 ]]
grep -q "iteration_limit parameter is not supported for CP-SAT" "$folder/output"

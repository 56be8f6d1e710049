#!/usr/bin/env bash
# HiGHS: it takes the right side of a second free row of an MPS file for the constant of the objective.
#
# Seen with highspy 1.16.0, and pyscipopt 6.3.0 and ortools 9.15.6755 for comparison (CPython 3.11, Linux x86-64),
# 2026-12-01.
#
# Documentation: the first row of type N is the objective. By the default of the option keep_n_rows, HiGHS deletes the
# other ones. The right side of the objective is its constant with the opposite sign.
#
# Behavior: a plan has the objective cost and a second row of type N, energy, whose right side is -100. The optimum is
# 10, as SCIP and OR-Tools report. HiGHS reports 110, with the status OK. If both rows have a right side, the first of
# the two lines wins: HiGHS reports 3 or 110 for the same plan, and warns of a duplicate of the row that it left out.
# The code asserts that each row without an index is the objective; the deleted rows have another mark. The values of
# the variables are right. A cost or a relative gap that is read from HiGHS is wrong, and two solvers disagree about
# one file. Issue 20 of HiGHS was about the coefficients of such rows; no report was found on their right sides.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q highspy==1.16.0 pyscipopt==6.3.0 ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
import sys
import highspy
import pyscipopt
from ortools.linear_solver.python import model_builder

def highs(file):
    solver = highspy.Highs()
    solver.silent()
    status = solver.readModel(file)
    solver.run()
    return f"{solver.getInfo().objective_function_value:g} {status.name}"

def scip(file):
    solver = pyscipopt.Model()
    solver.hideOutput()
    solver.readProblem(file)
    solver.optimize()
    return f"{solver.getObjVal():g}"

def glop(file):
    model = model_builder.Model()
    model.import_from_mps_file(file)
    solver = model_builder.Solver("GLOP")
    solver.solve(model)
    return f"{solver.objective_value:g}"

def show(*sides):
    lines = ["NAME plan", "ROWS", " N  cost", " N  energy", " G  demand", "COLUMNS",
             "    gpus  cost  1  demand  1", "    gpus  energy  2", "    nodes  cost  3  demand  1",
             "RHS", "    rhs  demand  10", *(f"    rhs  {row}  {value}" for row, value in sides), "ENDATA"]
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(lines) + "\n")
    results = "HiGHS", highs(sys.argv[1]), "SCIP", scip(sys.argv[1]), "OR-Tools", glop(sys.argv[1])
    print("right side of", *(row for row, _ in sides), *results, flush=True)

show()
show(("energy", -100))
show(("cost", 7))
show(("cost", 7), ("energy", -100))
show(("energy", -100), ("cost", 7))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/plan.mps" >"$folder/log"
grep "^right side" "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
right side of HiGHS 10 kOk SCIP 10 OR-Tools 10
right side of energy HiGHS 110 kOk SCIP 10 OR-Tools 10
right side of cost HiGHS 3 kOk SCIP 3 OR-Tools 3
right side of cost energy HiGHS 3 kWarning SCIP 3 OR-Tools 3
right side of energy cost HiGHS 110 kWarning SCIP 3 OR-Tools 3
EXPECTED

#!/usr/bin/env bash
# discrete-optimization: CP-SAT for weighted tardiness ignores release dates and proves a wrong bound.
#
# Seen with discrete-optimization 0.9.1 and ortools 9.14.6206 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation: WeightedTardinessProblem takes release_dates, and its evaluate and satisfy check them.
#
# Behavior: the best weighted tardiness of the three jobs is 6, as all orders show. CpsatWTSolver reports OPTIMAL with
# value and bound 4. Job 2 starts at 0, although its release date is 1, so satisfy() of the same package is false for
# this schedule. DpWTSolver reports OPTIMAL with 4, too. The MILP solver of the package gives 6. A comparison of these
# solvers gives CP-SAT a lower bound that no schedule reaches.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q discrete-optimization==0.9.1 ortools==9.14.6206
cat >"$folder/program.py" <<'PROGRAM'
import itertools, logging
logging.disable(logging.ERROR)
from discrete_optimization.generic_tools.cp_tools import ParametersCp
from discrete_optimization.singlemachine.problem import WeightedTardinessProblem
from discrete_optimization.singlemachine.solvers.cpsat import CpsatWTSolver
from discrete_optimization.singlemachine.solvers.dp import DpWTSolver
from discrete_optimization.singlemachine.solvers.lp import MathOptSingleMachineSolver

problem = WeightedTardinessProblem(num_jobs=3, processing_times=[3, 2, 4], weights=[1, 3, 2], due_dates=[5, 6, 7],
                                   release_dates=[0, 4, 1])

def tardiness(order):
    time = total = 0
    for job in order:
        time = max(time, problem.release_dates[job]) + problem.processing_times[job]
        total += problem.weights[job] * max(0, time - problem.due_dates[job])
    return total

print("all orders", min(map(tardiness, itertools.permutations(range(3)))), flush=True)
for solver in CpsatWTSolver(problem), DpWTSolver(problem), MathOptSingleMachineSolver(problem):
    solver.init_model()
    results = solver.solve(time_limit=10, solver="CABS", parameters_cp=ParametersCp.default_cpsat())
    solution, _ = results.get_best_solution_fit()
    bound = solver.get_current_best_internal_objective_bound() if isinstance(solver, CpsatWTSolver) else None
    print(type(solver).__name__, solver.status_solver.name, "value", problem.evaluate(solution)["tardiness"],
          "bound", bound, "satisfies", problem.satisfy(solution), flush=True)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" 2>/dev/null >"$folder/log"
grep -E '^(all orders|CpsatWT|DpWT|MathOpt)' "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
all orders 6
CpsatWTSolver OPTIMAL value 4 bound 4.0 satisfies False
DpWTSolver OPTIMAL value 4 bound None satisfies False
MathOptSingleMachineSolver OPTIMAL value 6 bound None satisfies True
EXPECTED

#!/usr/bin/env bash
# OR-Tools: the knapsack solver by dynamic programming counts the profit of an item without weight, but omits the item.
#
# Seen with ortools 9.15.6755 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (knapsack_solver.h): BestSolutionContains "Returns true if the item 'item_id' is packed in the optimal
# knapsack"; Solve returns "the profit of the optimal solution". A weight of 0 is accepted.
#
# Behavior: where not all items fit, an item of weight 0 is in the profit (14 = 10 + 4), but not among the packed items.
# The solver calls the solution optimal. The other seven solvers pack the item. For positive weights,
# 2000 random cases agreed. A scheduler that picks jobs for the free GPUs never starts a job that needs none, while
# the objective says that it did.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
from ortools.algorithms.python.knapsack_solver import KnapsackSolver, SolverType

PROFITS, GPUS, FREE = [10, 6, 4], [0, 2, 1], 1
for name in sorted(name for name in dir(SolverType) if name.startswith("KNAPSACK_")):
    solver = KnapsackSolver(getattr(SolverType, name), "jobs")
    solver.init(PROFITS, [GPUS], [FREE])
    profit = solver.solve()
    packed = [item for item in range(len(PROFITS)) if solver.best_solution_contains(item)]
    total = sum(PROFITS[item] for item in packed)
    print(name, "profit", profit, "packed", packed, "of profit", total, "optimal", solver.is_solution_optimal())
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
KNAPSACK_64ITEMS_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_BRUTE_FORCE_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_DIVIDE_AND_CONQUER_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_DYNAMIC_PROGRAMMING_SOLVER profit 14 packed [2] of profit 4 optimal True
KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_MULTIDIMENSION_CBC_MIP_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_MULTIDIMENSION_CP_SAT_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
KNAPSACK_MULTIDIMENSION_SCIP_MIP_SOLVER profit 14 packed [0, 2] of profit 14 optimal True
EXPECTED

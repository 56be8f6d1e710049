#!/usr/bin/env bash
# python-constraint2: an upper limit of a product loses solutions if one of three variables can be 0 or a fraction.
#
# Seen with python-constraint2 2.9.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (MaxProdConstraint): "values of given variables create a product up to at most a given amount". The text
# "a * b * c <= 8" becomes this constraint. A lambda of the same expression is the reference here.
#
# Behavior: while two variables are open, the solver removes each value that exceeds the limit with the assigned ones.
# It does so for a variable without values below 1, although the other open variable can still be 0 or 0.5.
# So (0, 2, 8) is lost, a job that waits without replicas. Where 2 nodes and 8 GPUs are fixed, no solution is left.
# All three backtracking solvers are alike. Two variables without negative values were right in random tests.
# A scheduler that lists the configurations of a job misses some, or calls a job with a plan infeasible.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q python-constraint2==2.9.0
cat >"$folder/program.py" <<'PROGRAM'
from constraint import BacktrackingSolver, OptimizedBacktrackingSolver, Problem, RecursiveBacktrackingSolver

TEXT = "replicas * nodes * gpus <= 8"

def limit(replicas, nodes, gpus):
    return replicas * nodes * gpus <= 8

def solve(solver, constraint, domains):
    problem = Problem(solver)
    for name, values in domains.items():
        problem.addVariable(name, values)
    problem.addConstraint(*constraint)
    return {tuple(solution[name] for name in domains) for solution in problem.getSolutions()}

for replicas, nodes, gpus in ([1, 2, 3], [1, 2], [2, 4, 8]), ([0, 1, 2], [1, 2], [2, 4, 8]), ([0, 1, 2], [2], [8]):
    domains = {"replicas": replicas, "nodes": nodes, "gpus": gpus}
    for solver in OptimizedBacktrackingSolver, BacktrackingSolver, RecursiveBacktrackingSolver:
        right, found = solve(solver(), (limit, list(domains)), domains), solve(solver(), (TEXT,), domains)
        print(replicas, len(right), len(found), "lost", sorted(right - found))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
[1, 2, 3] 9 9 lost []
[1, 2, 3] 9 9 lost []
[1, 2, 3] 9 9 lost []
[0, 1, 2] 14 13 lost [(0, 2, 8)]
[0, 1, 2] 14 13 lost [(0, 2, 8)]
[0, 1, 2] 14 13 lost [(0, 2, 8)]
[0, 1, 2] 1 0 lost [(0, 2, 8)]
[0, 1, 2] 1 0 lost [(0, 2, 8)]
[0, 1, 2] 1 0 lost [(0, 2, 8)]
EXPECTED

#!/usr/bin/env bash
# Choco (pychoco): a forbidden combination that is listed again removes allowed combinations too.
#
# Seen with pychoco 0.4.0, cpmpy 1.1.1 and ortools 9.15.6755 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation (table): with feasible=False, the tuples are the forbidden ones. Nothing requires distinct tuples.
#
# Behavior: two jobs may not both run on node 0, so three of four combinations remain. With the same row twice, Choco
# finds one of them. Its propagator seems to count rows: if a node has as many rows as the other job has nodes, it
# removes that node. In the last case job 0 must run on node 0, and there are three nodes. The row is there three times,
# and Choco proves that no plan exists. CPMpy passes its NegativeTable to this constraint as it is, so it loses the same
# solutions. CP-SAT finds all of them. Rows that a cluster collects from failures often repeat.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q pychoco==0.4.0 cpmpy==1.1.1 ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
import itertools

import cpmpy
from pychoco import Model

def show(rows, nodes, fixed=None):
    model = Model()
    jobs = [model.intvar(0, nodes - 1) for _ in range(2)]
    model.table(jobs, rows, feasible=False).post()
    if fixed is not None:
        model.arithm(jobs[0], "=", fixed).post()
    choco = [tuple(s.get_int_val(job) for job in jobs) for s in model.get_solver().find_all_solutions()]
    allowed = [pair for pair in itertools.product(range(nodes), repeat=2) if list(pair) not in rows]
    allowed = [pair for pair in allowed if fixed in (None, pair[0])]
    numbers = []
    for solver in "ortools", "choco":
        x = cpmpy.intvar(0, nodes - 1, shape=2)
        model = cpmpy.Model(cpmpy.NegativeTable(x, rows), *([] if fixed is None else [x[0] == fixed]))
        numbers.append(model.solveAll(solver=solver))
    print(rows, "of", nodes, "nodes: allowed", len(allowed), "Choco", sorted(choco))
    print("  CPMpy with CP-SAT", numbers[0], "CPMpy with Choco", numbers[1])

show([[0, 0]], 2)
show([[0, 0], [0, 0]], 2)
show([[0, 0]], 3, fixed=0)
show([[0, 0], [0, 0], [0, 0]], 3, fixed=0)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
[[0, 0]] of 2 nodes: allowed 3 Choco [(0, 1), (1, 0), (1, 1)]
  CPMpy with CP-SAT 3 CPMpy with Choco 3
[[0, 0], [0, 0]] of 2 nodes: allowed 3 Choco [(1, 1)]
  CPMpy with CP-SAT 3 CPMpy with Choco 1
[[0, 0]] of 3 nodes: allowed 2 Choco [(0, 1), (0, 2)]
  CPMpy with CP-SAT 2 CPMpy with Choco 2
[[0, 0], [0, 0], [0, 0]] of 3 nodes: allowed 2 Choco []
  CPMpy with CP-SAT 2 CPMpy with Choco 0
EXPECTED

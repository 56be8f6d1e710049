#!/usr/bin/env bash
# CPMpy with Choco: a negated NoOverlap or Cumulative with variable durations accepts plans without an overlap.
#
# Seen with cpmpy 1.1.1, pychoco 0.4.0 and ortools 9.15.6755 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: global constraints can be negated and used as conditions. CPMpy lists both constraints as supported by
# Choco in that form.
#
# Behavior: job 1 starts 3 after job 0, and both take 1 or 2. The model asks for durations with an overlap, to test the
# plan. None exists, and CP-SAT says so. With Choco, CPMpy says that each pair of durations overlaps; its own value()
# of the constraint is False in each solution. A Boolean that equals NoOverlap may be False without an overlap.
# CPMpy gives Choco tasks without an end, and Choco makes an end variable that nothing ties to the start; pychoco says
# that a call must do this. So Choco breaks the constraint by an end that is not start plus duration. With constant
# durations all is right.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q cpmpy==1.1.1 pychoco==0.4.0 ortools==9.15.6755
cat >"$folder/program.py" <<'PROGRAM'
import cpmpy as cp

def show(name, solver, duration, constraint, *others):
    solutions = []
    cp.Model(constraint, *others).solveAll(
        solver=solver, display=lambda: solutions.append((duration.value().tolist(), bool(constraint.value()))))
    print(name, solver, len(solutions), "solutions,", sum(not held for _, held in solutions), "violate the constraint")

for solver in "ortools", "choco":
    start = cp.cpm_array([0, 3])
    duration = cp.intvar(1, 2, shape=2)
    disjoint = cp.boolvar()
    show("negated NoOverlap:", solver, duration, ~cp.NoOverlap(start, duration))
    show("negated Cumulative:", solver, duration, ~cp.Cumulative(start, duration, demand=[2, 1], capacity=2))
    show("equal to False:", solver, duration, disjoint == cp.NoOverlap(start, duration), ~disjoint)
    show("constant:", solver, start, ~cp.NoOverlap(start, [1, 2]))
    show("overlap exists:", solver, duration, ~cp.NoOverlap([0, 1], duration))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
negated NoOverlap: ortools 0 solutions, 0 violate the constraint
negated Cumulative: ortools 0 solutions, 0 violate the constraint
equal to False: ortools 0 solutions, 0 violate the constraint
constant: ortools 0 solutions, 0 violate the constraint
overlap exists: ortools 2 solutions, 0 violate the constraint
negated NoOverlap: choco 12 solutions, 12 violate the constraint
negated Cumulative: choco 12 solutions, 12 violate the constraint
equal to False: choco 12 solutions, 12 violate the constraint
constant: choco 0 solutions, 0 violate the constraint
overlap exists: choco 14 solutions, 6 violate the constraint
EXPECTED

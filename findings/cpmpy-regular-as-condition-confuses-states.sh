#!/usr/bin/env bash
# CPMpy: a Regular constraint as a condition is wrong if its states are numbered from 1, with CP-SAT and Z3 too.
#
# Seen with cpmpy 1.1.1, ortools 9.15.6755, z3-solver 5.4.1.0 and highspy 1.16.0 (CPython 3.11, Linux x86-64),
# 2026-12-01.
#
# Documentation (Regular): a state is an integer or a string. Its example is 0*10*: exactly one of four slots is 1.
#
# Behavior: a Boolean equals that example, to count plans that break the rule. With the states A, B, C or 0, 1, 2 all
# is right. With 1, 2, 3, three plans are said to keep the rule, such as 0011, and each of them breaks it. Of 13 plans
# that break the rule, 11 are not found. CPMpy numbers its extra state for missing transitions with the number of
# states, here 3, and so replaces the user's state 3. As a plain constraint, Regular is right.
#
# HiGHS has another way for it, and is right there. But if a variable has a value that no transition has, HiGHS finds
# few of the plans with that value: here with the value 2, only 14 of 78 plans that break the rule. The minimum number
# of broken shift rules is then wrong.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q cpmpy==1.1.1 ortools==9.15.6755 z3-solver==5.4.1.0 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import itertools

import cpmpy as cp

def show(states, solver, largest=1):
    a, b, c = states
    slots = cp.intvar(0, largest, shape=4)
    keep = {(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)}
    text = f"states {a} {b} {c}, values 0 to {largest}, {solver}:"
    for value in True, False:
        kept, plans = cp.boolvar(), set()
        rule = cp.Regular(slots, [(a, 0, a), (a, 1, b), (b, 0, c), (c, 0, c)], a, [c])
        cp.Model(kept == rule, kept == value).solveAll(
            solver=solver, display=lambda: plans.add(tuple(slots.value().tolist())))
        right = keep if value else set(itertools.product(range(largest + 1), repeat=4)) - keep
        text += f" {value} {len(plans & right)} of {len(right)}, wrong {len(plans - right)};"
    print(text, flush=True)

for solver in "ortools", "z3", "highs":
    for states in "ABC", (0, 1, 2), (1, 2, 3):
        show(states, solver)
    show("ABC", solver, largest=2)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | grep '^states' | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
states A B C, values 0 to 1, ortools: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 0 1 2, values 0 to 1, ortools: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 1 2 3, values 0 to 1, ortools: True 0 of 3, wrong 3; False 2 of 13, wrong 3;
states A B C, values 0 to 2, ortools: True 3 of 3, wrong 0; False 78 of 78, wrong 0;
states A B C, values 0 to 1, z3: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 0 1 2, values 0 to 1, z3: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 1 2 3, values 0 to 1, z3: True 0 of 3, wrong 3; False 2 of 13, wrong 3;
states A B C, values 0 to 2, z3: True 3 of 3, wrong 0; False 78 of 78, wrong 0;
states A B C, values 0 to 1, highs: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 0 1 2, values 0 to 1, highs: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states 1 2 3, values 0 to 1, highs: True 3 of 3, wrong 0; False 13 of 13, wrong 0;
states A B C, values 0 to 2, highs: True 3 of 3, wrong 0; False 14 of 78, wrong 0;
EXPECTED

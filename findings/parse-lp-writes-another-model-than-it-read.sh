#!/usr/bin/env bash
# parse_lp: an LP file that is read and written again has another optimum, without a change in between.
#
# Seen with parse_lp 4.0.1, pulp 3.3.2 and highspy 1.16.0 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "A LP file format parser, writer, and modifier", which can "Generate LP files from modified problems
# with round-trip compatibility". In the LP format a variable without bounds is not negative.
#
# Behavior: PuLP writes four small models. parse_lp keeps either the bounds or the type of a variable. A variable
# without bounds becomes free, so the plan has -6.6 nodes, and the maximum is 13.8 instead of 10.5. An integer with
# bounds becomes continuous: 3.5 GPUs instead of 3. A free integer becomes nonnegative, so the maximum falls from 13 to
# 5. There is no error or warning. Only the model whose variables are continuous and have bounds stays the same. A tool
# that changes one price in this way solves another problem. HiGHS solves both files. No report was found.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q parse_lp==4.0.1 pulp==3.3.2 highspy==1.16.0
cat >"$folder/program.py" <<'PROGRAM'
import sys
import highspy
import pulp
from parse_lp import LpParser

def optimum(file):
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(file)
    solver.run()
    values = dict(zip(solver.getLp().col_names_, solver.getSolution().col_value))
    return f"{solver.getInfo().objective_function_value:g} at {values['gpus'] + 0.0:g} GPUs, {values['nodes']:g} nodes"

def show(name, lower, upper, category, price, nodes):
    model = pulp.LpProblem("plan", pulp.LpMaximize)
    gpus = pulp.LpVariable("gpus", lower, upper, category)
    nodes = pulp.LpVariable("nodes", *nodes)
    model += price * gpus + nodes
    model += 2 * gpus + nodes <= 7
    model += gpus - 2 * nodes <= 20
    model += gpus >= -8.5
    before, after = sys.argv[1] + "/before.lp", sys.argv[1] + "/after.lp"
    model.writeLP(before)
    parser = LpParser(before)
    parser.parse()
    parser.save_to_file(after)
    print(f"{name}: {optimum(before)}; after parse_lp {optimum(after)}", flush=True)

show("bounds", 0, 9, "Continuous", 3, (0, 5))
show("no bounds", 0, 9, "Continuous", 3, (0, None))
show("integer with bounds", 0, 9, "Integer", 3, (0, 5))
show("free integer", None, None, "Integer", -1, (0, 5))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder" >"$folder/log"
grep after "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
bounds: 10.5 at 3.5 GPUs, 0 nodes; after parse_lp 10.5 at 3.5 GPUs, 0 nodes
no bounds: 10.5 at 3.5 GPUs, 0 nodes; after parse_lp 13.8 at 6.8 GPUs, -6.6 nodes
integer with bounds: 10 at 3 GPUs, 1 nodes; after parse_lp 10.5 at 3.5 GPUs, 0 nodes
free integer: 13 at -8 GPUs, 5 nodes; after parse_lp 5 at 0 GPUs, 5 nodes
EXPECTED

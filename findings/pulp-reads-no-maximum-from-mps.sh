#!/usr/bin/env bash
# PuLP: it reads an MPS file of a maximum as a minimum, with sense=LpMaximize too.
#
# Seen with pulp 4.2.0, and pulp 3.3.2 and highspy 1.16.0 for comparison (CPython 3.12, Linux x86-64), 2026-12-01.
#
# Documentation: the sense of fromMPS is "1 for minimize, -1 for maximize". The file's own sense is not read; issue 655
# of PuLP is about this.
#
# Behavior: with the sense of a maximum, PuLP 4 reads each coefficient of the objective with the opposite sign. The
# maximum of the negative objective is the minimum. So the argument changes no plan: the result has 0 GPUs instead of 2,
# and the value 0 instead of 6. The file is written by PuLP with with_objsense=True, or by another program. HiGHS and
# PuLP 3.3.2 read the maximum. Only PuLP's own form, with negative coefficients and a comment as its sense, is right.
# That form is a minimum for all other programs. The status is Optimal each time.
#
# The first Python from 3.12 on is used. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for python in python3 python3.12 python3.13 "$HOME"/.pyenv/versions/3.1[23].*/bin/python3; do
  if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))" 2>/dev/null; then break; fi
done
for version in 3.3.2 4.2.0; do
  "$python" -m venv "$folder/$version"
  "$folder/$version/bin/pip" install -q "pulp==$version" highspy==1.16.0
done
cat >"$folder/program.py" <<'PROGRAM'
import sys
import highspy
import pulp

file = sys.argv[1]
with open(file, "w") as stream:
    stream.write("NAME plan\nOBJSENSE\n    MAX\nROWS\n N  speed\n L  limit\nCOLUMNS\n"
                 "    gpus  speed  3  limit  1\nRHS\n    rhs  limit  2\nENDATA\n")

def show(name):
    for sense in "LpMinimize", "LpMaximize":
        variables, problem = pulp.LpProblem.fromMPS(file, sense=getattr(pulp, sense))
        problem.solve(pulp.HiGHS(msg=False))
        print(f"plan {name} {sense} objective {problem.objective} GPUs {variables['gpus'].varValue:g}", flush=True)

print("plan PuLP", pulp.__version__)
solver = highspy.Highs()
solver.silent()
solver.readModel(file)
solver.run()
print(f"plan HiGHS GPUs {solver.getSolution().col_value[0]:g}", flush=True)
show("file of another program")
problem = pulp.LpProblem("plan", pulp.LpMaximize)
gpus = problem.add_variable("gpus", 0, 2)
problem += 3 * gpus
problem += gpus <= 2
problem.writeMPS(file, with_objsense=True)
show("with_objsense")
problem.writeMPS(file)
show("default")
PROGRAM
for version in 3.3.2 4.2.0; do
  "$folder/$version/bin/python" "$folder/program.py" "$folder/plan.mps" >"$folder/log"
  grep "^plan" "$folder/log"
done | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
plan PuLP 3.3.2
plan HiGHS GPUs 2
plan file of another program LpMinimize objective 3.0*gpus GPUs 0
plan file of another program LpMaximize objective 3.0*gpus GPUs 2
plan with_objsense LpMinimize objective 3.0*gpus GPUs 0
plan with_objsense LpMaximize objective 3.0*gpus GPUs 2
plan default LpMinimize objective 3.0*gpus GPUs 0
plan default LpMaximize objective 3.0*gpus GPUs 2
plan PuLP 4.2.0
plan HiGHS GPUs 2
plan file of another program LpMinimize objective 3*gpus GPUs 0
plan file of another program LpMaximize objective -3*gpus GPUs 0
plan with_objsense LpMinimize objective 3*gpus GPUs 0
plan with_objsense LpMaximize objective -3*gpus GPUs 0
plan default LpMinimize objective -3*gpus GPUs 2
plan default LpMaximize objective 3*gpus GPUs 2
EXPECTED

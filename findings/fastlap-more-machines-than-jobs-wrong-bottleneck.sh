#!/usr/bin/env bash
# fastlap: with more machines than jobs, the bottleneck assignment is wrong and the k best assignments repeat.
#
# Seen with fastlap 0.4.0, numpy 2.4.6 and scipy 1.17.1 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: rectangular matrices are supported. solve_lbap finds a matching with the least maximum cost, and names
# jobs and machines as its use. solve_lap_kbest takes an (n x m) matrix and gives up to k solutions.
#
# Behavior: two jobs have four machines. One machine each costs 1 for them, and all else costs 9, so the least maximum
# is 1. solve_lbap gives the first two machines, and 9 as the least maximum. If two or more machines get no job,
# solve_lap_kbest gives one assignment several times. Then better ones than the last are missing, and a fallback plan is
# the plan itself. Of 100 random matrices of a shape, the script counts the wrong results. For square matrices all is
# right, and so is solve_lap for each shape.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q fastlap==0.4.0 numpy==2.4.6 scipy==1.17.1
cat >"$folder/program.py" <<'PROGRAM'
import itertools
import random

import fastlap
import numpy

def numbers(cost):
    plans = list(itertools.permutations(range(cost.shape[1]), cost.shape[0]))
    rows = [[cost[job, machine] for job, machine in enumerate(plan)] for plan in plans]
    return min(map(max, rows)), sorted(map(sum, rows))

cost = numpy.array([[9.0, 9, 1, 9], [9, 9, 9, 1]])
print("bottleneck", numbers(cost)[0], "fastlap", fastlap.solve_lbap(cost)[:2])
cost = numpy.array([[1.0, 5, 9, 9], [9, 2, 9, 9]])
print("totals", *numbers(cost)[1][:3], "fastlap", [plan[:2] for plan in fastlap.solve_lap_kbest(cost, k=3)])
source = random.Random(1)
for jobs, machines in (4, 4), (3, 4), (2, 4):
    wrong = [0, 0, 0]  # solve_lap, solve_lbap, solve_lap_kbest
    for _ in range(100):
        cost = numpy.array([[float(source.randint(1, 99)) for _ in range(machines)] for _ in range(jobs)])
        bottleneck, totals = numbers(cost)
        wrong[0] += int(fastlap.solve_lap(cost)[0] != totals[0])
        wrong[1] += int(fastlap.solve_lbap(cost)[0] != bottleneck)
        wrong[2] += [plan[0] for plan in fastlap.solve_lap_kbest(cost, k=3)] != totals[:3]
    print(jobs, "jobs,", machines, "machines: wrong", wrong)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
bottleneck 1.0 fastlap (9.0, [0, 1])
totals 3.0 10.0 10.0 fastlap [(3.0, [0, 1]), (3.0, [0, 1]), (10.0, [0, 2])]
4 jobs, 4 machines: wrong [0, 0, 0]
3 jobs, 4 machines: wrong [0, 94, 0]
2 jobs, 4 machines: wrong [0, 83, 100]
EXPECTED

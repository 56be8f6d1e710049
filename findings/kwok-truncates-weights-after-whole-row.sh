#!/usr/bin/env bash
# kwok: the maximum-weight matching cuts off all decimals if the weights of the first vertex are whole numbers.
#
# Seen with kwok 1.1.7 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "Integer weights are not required, but using integers may improve performance". The total weight is an
# integer or a float.
#
# Behavior: job 0 has the speed 4 on node 0 and 3 on node 1, job 1 has 3.9 and 2.1. The best total is 3 + 3.9 = 6.9.
# kwok returns 4 + 2.1 = 6.1 and states 6, since it computes with 3 and 2 for job 1. The same is true for 4.0 in place
# of 4. With the jobs in the other order, or with 4.5, the matching is right. If the first job has no node, the decimals
# of all jobs are cut off, and a total of 1.3 is stated as 0. The script counts wrong totals and matchings of 1,000
# random graphs, whose speeds have one decimal, with the first row as it is, with whole numbers, and without edges.
# No report was found.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q kwok==1.1.7
cat >"$folder/program.py" <<'PROGRAM'
import itertools
import random

from kwok import kwok

def total(graph, nodes):
    speeds = {(job, node): speed for job, edges in enumerate(graph) for node, speed in edges}
    return round(sum(speeds[job, node] for job, node in enumerate(nodes) if node >= 0), 6)

def best(graph):
    adjacent = [[-1, *(node for node, _ in edges)] for edges in graph]
    plans = (plan for plan in itertools.product(*adjacent)
             if len({*plan} - {-1}) == sum(node >= 0 for node in plan))
    return max(total(graph, plan) for plan in plans)

def show(graph):
    matching = kwok(graph, False)
    print(graph, "best", best(graph), "kwok states", matching.total_weight, "and finds",
          total(graph, matching.left_pairs))

show([[(0, 4), (1, 3)], [(0, 3.9), (1, 2.1)]])
show([[(0, 4.0), (1, 3.0)], [(0, 3.9), (1, 2.1)]])
show([[(0, 3.9), (1, 2.1)], [(0, 4), (1, 3)]])
show([[(0, 4.5), (1, 3)], [(0, 3.9), (1, 2.1)]])
show([[], [(0, 0.5), (1, 0.7)], [(0, 0.5), (2, 0.6)]])
source = random.Random(1)
for name in "as it is", "whole numbers", "without edges":
    totals = matchings = 0
    for _ in range(1000):
        size = source.randint(2, 4)
        graph = [[(node, source.randint(1, 99) / 10) for node in range(size)] for _ in range(size)]
        if name == "whole numbers":
            graph[0] = [(node, source.randint(1, 9)) for node in range(size)]
        elif name == "without edges":
            graph[0] = []
        matching = kwok(graph, False)
        totals += abs(matching.total_weight - best(graph)) > 1e-6
        matchings += abs(total(graph, matching.left_pairs) - best(graph)) > 1e-6
    print("first row", name, "wrong totals", totals, "wrong matchings", matchings, "of 1000")
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
[[(0, 4), (1, 3)], [(0, 3.9), (1, 2.1)]] best 6.9 kwok states 6 and finds 6.1
[[(0, 4.0), (1, 3.0)], [(0, 3.9), (1, 2.1)]] best 6.9 kwok states 6 and finds 6.1
[[(0, 3.9), (1, 2.1)], [(0, 4), (1, 3)]] best 6.9 kwok states 6.9 and finds 6.9
[[(0, 4.5), (1, 3)], [(0, 3.9), (1, 2.1)]] best 6.9 kwok states 6.9 and finds 6.9
[[], [(0, 0.5), (1, 0.7)], [(0, 0.5), (2, 0.6)]] best 1.3 kwok states 0 and finds 1.1
first row as it is wrong totals 4 wrong matchings 0 of 1000
first row whole numbers wrong totals 963 wrong matchings 71 of 1000
first row without edges wrong totals 968 wrong matchings 97 of 1000
EXPECTED

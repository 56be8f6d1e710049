#!/usr/bin/env bash
# capacity-governor: max-min fair sharing gives 2 of 19 GPUs to two teams that ask for 500 each, and leaves 17 idle.
#
# Seen with capacity-governor 0.2.0 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation (in Russian): MaxMinFair shares "a common pool" by weights, guarantees and ceilings, by progressive
# filling. "GPU slots between teams" is one of its four examples.
#
# Behavior: each team has weight 10. If the capacity left is less than the sum of the weights, each team gets one
# unit, and the rest is given to none. With 20 GPUs each team gets 10, with 19 each gets 1. Later ticks, with the
# deficits of the tick before, do the same. Weights of 50, 30 and 20 percent share 99 GPUs as 1, 1 and 1. With small
# weights a few GPUs are lost: 12 of 14 are given for 3, 1, 2 and 2. Of 1,000 random requests for more than the
# capacity, the script counts those that leave capacity idle. Weights of 1 lose nothing. No report was found.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q capacity-governor==0.2.0
cat >"$folder/program.py" <<'PROGRAM'
import random
from capacity import ConsumerState, MaxMinFair

def share(capacity, weights, deficits={}, demand=500):
    teams = [ConsumerState(f"team-{index}", demand=demand, weight=weight) for index, weight in enumerate(weights)]
    return MaxMinFair().allocate(capacity=capacity, consumers=teams, deficits=deficits)

def show(capacity, *weights):
    grants = list(share(capacity, weights).grants.values())
    print("capacity", capacity, "weights", *weights, "grants", *grants, "idle", capacity - sum(grants))

show(20, 10, 10)
show(19, 10, 10)
show(100, 50, 30, 20)
show(99, 50, 30, 20)
show(14, 3, 1, 2, 2)
deficits = {}
for tick in range(1, 5):
    allocation = share(19, (10, 10), deficits)
    deficits = allocation.deficits
    print("tick", tick, "grants", *allocation.grants.values())
source = random.Random(1)
for largest in 1, 2, 3, 10:
    idle = 0
    for _ in range(1000):
        capacity = source.randint(1, 40)
        weights = [source.randint(1, largest) for _ in range(source.randint(2, 5))]
        idle += sum(share(capacity, weights).grants.values()) < capacity
    print("weights up to", largest, "idle capacity in", idle, "of 1000")
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
capacity 20 weights 10 10 grants 10 10 idle 0
capacity 19 weights 10 10 grants 1 1 idle 17
capacity 100 weights 50 30 20 grants 50 30 20 idle 0
capacity 99 weights 50 30 20 grants 1 1 1 idle 96
capacity 14 weights 3 1 2 2 grants 4 2 3 3 idle 2
tick 1 grants 1 1
tick 2 grants 1 1
tick 3 grants 1 1
tick 4 grants 1 1
weights up to 1 idle capacity in 0 of 1000
weights up to 2 idle capacity in 103 of 1000
weights up to 3 idle capacity in 301 of 1000
weights up to 10 idle capacity in 691 of 1000
EXPECTED

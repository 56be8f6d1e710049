#!/usr/bin/env bash
# Ciw: the utilization of a server omits each service that a customer of higher priority interrupts.
#
# Seen with ciw 3.2.7 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation (issue 125 of Ciw, which added it): "Utilisation = time busy / (time busy + time idle)".
#
# Behavior: one server gets urgent jobs (0.4 an hour, 1 h each) and batch jobs (0.05 an hour, 10 h each). It is busy
# about 90 % of the time if no work is lost, as the state tracker of Ciw shows. Without preemption the utilization
# agrees. With preemption and "resume" the utilization is 0.495 instead of 0.923, with "restart" 0.401 instead of 1.
# The time from the start to the interruption is in the records, but not in the busy time of the server. A simulated
# comparison of policies with and without preemption shows idle devices that are not idle.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q ciw==3.2.7
cat >"$folder/program.py" <<'PROGRAM'
import ciw
from ciw.dists import Exponential

for preemption in False, "resume", "resample", "restart":
    network = ciw.create_network(
        arrival_distributions={"urgent": [Exponential(0.4)], "batch": [Exponential(0.05)]},
        service_distributions={"urgent": [Exponential(1)], "batch": [Exponential(0.1)]},
        number_of_servers=[1], priority_classes=({"urgent": 0, "batch": 1}, [preemption]))
    ciw.seed(1)
    simulation = ciw.Simulation(network, tracker=ciw.trackers.SystemPopulation())
    simulation.simulate_until_max_time(20000)
    busy = 1 - simulation.statetracker.state_probabilities()[0]
    print(preemption, round(simulation.transitive_nodes[0].server_utilisation, 3), "busy", round(busy, 3))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
False 0.88 busy 0.88
resume 0.495 busy 0.923
resample 0.498 busy 0.88
restart 0.401 busy 1.0
EXPECTED

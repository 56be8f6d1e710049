#!/usr/bin/env bash
# pyqueueing: ErlangA ignores all states with more than 500 jobs, so 500 servers or more have no queue.
#
# Seen with pyqueueing 0.1.1 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation: prob_abandon is the "Fraction of arriving customers who abandon before being served", and the code
# uses "log-space computation for numerical stability".
#
# Behavior: 10 % more jobs arrive than the GPUs can serve, so at least 1 - 1 / 1.1 = 9.1 % abandon. With 500 GPUs,
# none abandons and the queue is empty, but the utilization is 110 %. With 400 and 450, the values are partly wrong. A
# sum over 20000 states gives the right ones. 10 GPUs with patient users need more than 500 states too. The limit is
# an internal default (max_n=500), which no text names. So a plan of capacity asks for no more GPUs.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q pyqueueing==0.1.1
cat >"$folder/program.py" <<'PROGRAM'
import math
from pyqueueing import ErlangA

def abandon(arrivals, servers, patience):
    logs = [0.0]
    for jobs in range(1, 20000):
        logs.append(logs[-1] + math.log(arrivals / (min(jobs, servers) + max(0, jobs - servers) * patience)))
    weights = [math.exp(log - max(logs)) for log in logs]
    queue = sum(max(0, jobs - servers) * weight for jobs, weight in enumerate(weights)) / sum(weights)
    return patience * queue / arrivals

for servers, load, patience in (100, 1.1, 0.5), (400, 1.1, 0.5), (450, 1.1, 0.5), (500, 1.1, 0.5), (10, 2, 0.001):
    model = ErlangA(arrival_rate=servers * load, service_rate=1, servers=servers, patience_rate=patience)
    print("GPUs", servers, "abandon", round(model.prob_abandon(), 4), "right",
          round(abandon(servers * load, servers, patience), 4), "queue", round(model.mean_queue_length(), 2),
          "utilization", round(model.utilization(), 4))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
GPUs 100 abandon 0.0946 right 0.0946 queue 20.82 utilization 0.9959
GPUs 400 abandon 0.0769 right 0.091 queue 67.71 utilization 1.0154
GPUs 450 abandon 0.0363 right 0.0909 queue 35.95 utilization 1.0601
GPUs 500 abandon 0.0 right 0.0909 queue 0.0 utilization 1.1
GPUs 10 abandon 0.0244 right 0.5 queue 488.9 utilization 1.9511
EXPECTED

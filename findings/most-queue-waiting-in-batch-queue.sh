#!/usr/bin/env bash
# most-queue: the exact batch queue for inference gives a waiting time that still contains a part of the service.
#
# Seen with most-queue 2.9 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (BulkServiceMM1Calc): "Exact M/M^[a,b]/1 bulk-service queue". The rate may depend on the size of the
# batch: "e.g. LLM batching where a bigger batch is slower per batch". The result w has the "waiting time".
#
# Behavior: a server takes up to 8 waiting requests, and a batch of n takes 1 + n / 2 on average. The time in the
# system is right, as a simulation shows. The waiting time is that time less the service time of the smallest batch,
# at each load: 5.57 instead of about 3.8 for 1 request per unit of time. So a limit of the waiting time asks for too
# many devices. With a constant rate, both agree. No issue of most-queue was found on this.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q most-queue==2.9
cat >"$folder/program.py" <<'PROGRAM'
import random
from itertools import accumulate
from most_queue.theory.batch.bulk_service import BulkServiceMM1Calc

def simulate(arrival_rate, rate, count=200000):
    numbers = random.Random(1)
    arrivals = list(accumulate(numbers.expovariate(arrival_rate) for _ in range(count)))
    end = waited = total = first = 0
    while first < count:
        start, last = max(end, arrivals[first]), first + 1
        while last < min(count, first + 8) and arrivals[last] <= start:
            last += 1
        end = start + numbers.expovariate(rate(last - first))
        waited += sum(start - arrival for arrival in arrivals[first:last])
        total += sum(end - arrival for arrival in arrivals[first:last])
        first = last
    return total / count, waited / count

for text, rate in ("constant", lambda size: 1 / 1.5), ("by size", lambda size: 1 / (1 + size / 2)):
    for arrival_rate in 0.5, 1.0, 1.3:
        model = BulkServiceMM1Calc(a=1, b=8)
        model.set_sources(arrival_rate)
        model.set_servers(rate)
        result = model.run()
        print(text, arrival_rate, "in the system %.2f waiting %.2f" % (result.v[0], result.w[0]),
              "simulated %.2f %.2f" % simulate(arrival_rate, rate))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
constant 0.5 in the system 2.35 waiting 0.85 simulated 2.36 0.85
constant 1.0 in the system 2.71 waiting 1.21 simulated 2.71 1.21
constant 1.3 in the system 2.84 waiting 1.34 simulated 2.84 1.34
by size 0.5 in the system 3.18 waiting 1.68 simulated 3.18 1.14
by size 1.0 in the system 7.07 waiting 5.57 simulated 7.12 3.75
by size 1.3 in the system 14.85 waiting 13.35 simulated 14.56 10.37
EXPECTED

#!/usr/bin/env bash
# salabim: a request for 1 unit of a preemptive resource bumps each claimer of lower priority, even without a gain.
#
# Seen with salabim 26.0.9 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (Resource, preemptive): "if True, components with a lower priority will be bumped out of the claimers
# queue if possible". A lower value is a higher priority.
#
# Behavior: where a GPU is free, no job is bumped. In the second case, four jobs hold one of four GPUs each. A job of
# priority 1 requests one GPU and bumps all four, so three GPUs are idle. In the third case, a job of priority 0 holds
# three GPUs, and a job requests two. It cannot get them, but it bumps the job of priority 5 and waits beside an idle GPU.
# The code counts 0 units for each claimer that it may bump, because it asks for the claim on the queue of claimers.
# It then bumps them whether or not the units suffice. A simulated preemptive policy shows too many preemptions and too
# low a utilization.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q salabim==26.0.9
cat >"$folder/program.py" <<'PROGRAM'
import salabim

salabim.yieldless(False)

class Job(salabim.Component):
    def setup(self, devices, units, rank):
        self.devices, self.units, self.rank = devices, units, rank

    def process(self):
        yield self.request((self.devices, self.units, self.rank))
        yield self.hold(10)

for text, running, urgent in (
    ("free GPU", [(1, 5), (1, 4), (1, 3)], (1, 1)),
    ("one unit", [(1, 5), (1, 4), (1, 3), (1, 2)], (1, 1)),
    ("no gain", [(3, 0), (1, 5)], (2, 1)),
):
    environment = salabim.Environment(trace=False)
    devices = salabim.Resource("devices", capacity=4, preemptive=True)
    jobs = [Job(devices=devices, units=units, rank=rank) for units, rank in running]
    late = Job(devices=devices, units=urgent[0], rank=urgent[1], at=2)
    environment.run(till=3)
    bumped = [running[index] for index, job in enumerate(jobs) if not job.isclaiming(devices)]
    print(text, "bumped", bumped, "starts", late.isclaiming(devices), "idle GPUs", devices.available_quantity())
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
free GPU bumped [] starts True idle GPUs 0
one unit bumped [(1, 5), (1, 4), (1, 3), (1, 2)] starts True idle GPUs 3
no gain bumped [(1, 5)] starts False idle GPUs 1
EXPECTED

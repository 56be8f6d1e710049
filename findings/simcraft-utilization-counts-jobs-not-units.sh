#!/usr/bin/env bash
# simcraft: the utilization of a resource counts its jobs, not the units that they hold.
#
# Seen with simcraft 1.0.1 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (ResourceStats): utilization is the "average resource utilization" of "Number of resource units", and
# acquire takes a "Number of units to acquire".
#
# Behavior: jobs of one hour follow each other on 8 GPUs, so that each GPU is busy for 100 h. With 8 jobs of one GPU
# at a time, the utilization is 1. With 4 jobs of 2 GPUs it is 0.5, and with one job of 8 GPUs 0.125. The free units
# are right. The statistics add 1 for each acquisition, and divide by the units. A simulated policy that prefers wide
# jobs seems to leave GPUs idle. No issue of simcraft was found on this.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q simcraft==1.0.1
cat >"$folder/program.py" <<'PROGRAM'
from simcraft import Resource, Simulation

class Job:
    def __init__(self, simulation):
        self.simulation = simulation

    def start(self, gpus, job):
        self.simulation.idle.add(gpus.available)
        self.simulation.schedule(self.end, delay=1.0)

    def end(self):
        self.simulation.gpus.release(self)

class Cluster(Simulation):
    def __init__(self, units):
        super().__init__()
        self.units, self.gpus, self.idle = units, Resource(self, capacity=8, name="GPUs"), set()

    def on_init(self):
        for _ in range(100 * 8 // self.units):
            job = Job(self)
            self.gpus.request(job, quantity=self.units, callback=job.start)

for units in 1, 2, 4, 8:
    cluster = Cluster(units)
    cluster.run()
    print("GPUs of a job", units, "hours", cluster.now, "least idle GPUs", min(cluster.idle),
          "utilization", cluster.gpus.stats.utilization)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
GPUs of a job 1 hours 100.0 least idle GPUs 0 utilization 1.0
GPUs of a job 2 hours 100.0 least idle GPUs 0 utilization 0.5
GPUs of a job 4 hours 100.0 least idle GPUs 0 utilization 0.25
GPUs of a job 8 hours 100.0 least idle GPUs 0 utilization 0.125
EXPECTED

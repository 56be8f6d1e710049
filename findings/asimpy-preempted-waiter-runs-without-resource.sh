#!/usr/bin/env bash
# asimpy: two jobs hold one GPU at once after a job was preempted in the moment of its start.
#
# Seen with asimpy 0.20.0 and simpy 4.1.2 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation (PreemptiveResource): a preempted process is "removed from the resource" and "is responsible for
# catching the Interrupt, tracking remaining work, and re-acquiring".
#
# Behavior: two urgent jobs of 2 h follow each other on one GPU, and a batch job of 3 h waits. At 2 h the release
# wakes the batch job, and the next urgent job preempts it before it runs. The process is then scheduled twice: once
# for the interrupt, once for the release. The second one ends its next wait, which is the new request. So the batch
# job runs without the GPU beside the urgent one, and its 3 h of work end after 2 h. SimPy runs it from 4 h to 7 h.
# Each event and interrupt of the same moment has this effect, so a simulated cluster does more work than it has GPUs.
# No issue of asimpy was found on this.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q asimpy==0.20.0 simpy==4.1.2
cat >"$folder/program.py" <<'PROGRAM'
import asimpy
import simpy

class Job(asimpy.Process):
    def init(self, gpu, name, arrival, priority, works):
        self.gpu, self.name, self.arrival, self.priority, self.works = gpu, name, arrival, priority, works

    async def run(self):
        await self.timeout(self.arrival)
        for work in self.works:
            while work > 0:
                start = None
                try:
                    await self.gpu.acquire(self.priority)
                    start = self.now
                    await self.timeout(work)
                    print("asimpy", self.name, "runs from", start, "to", self.now, "of work", work)
                    work = 0
                    self.gpu.release()
                except asimpy.Interrupt:
                    if start is not None:
                        work -= self.now - start

def job(environment, gpu, name, arrival, priority, works):
    yield environment.timeout(arrival)
    for work in works:
        while work > 0:
            start = None
            with gpu.request(priority) as request:
                try:
                    yield request
                    start = environment.now
                    yield environment.timeout(work)
                    print("SimPy", name, "runs from", start, "to", environment.now, "of work", work)
                    work = 0
                except simpy.Interrupt:
                    if start is not None:
                        work -= environment.now - start

environment = asimpy.Environment()
gpu = asimpy.PreemptiveResource(environment, 1)
Job(environment, gpu, "urgent", 0, 0, [2, 2])
Job(environment, gpu, "batch", 1, 1, [3])
environment.run()
environment = simpy.Environment()
gpu = simpy.PreemptiveResource(environment, 1)
environment.process(job(environment, gpu, "urgent", 0, 0, [2, 2]))
environment.process(job(environment, gpu, "batch", 1, 1, [3]))
environment.run()
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
asimpy urgent runs from 0 to 2 of work 2
asimpy urgent runs from 2 to 4 of work 2
asimpy batch runs from 2 to 4 of work 3
SimPy urgent runs from 0 to 2 of work 2
SimPy urgent runs from 2 to 4 of work 2
SimPy batch runs from 4 to 7 of work 3
EXPECTED

#!/usr/bin/env bash
# gpu-choochoo: the baseline "EASY Backfilling" reserves nothing for the first job of the queue, which waits for all
# others.
#
# Seen with gpu-choochoo 0.1.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation: the baseline is "EASY Backfilling", after Lifka (1995), and the code backfills jobs "that don't
# violate the GST", the guaranteed start time of the first job.
#
# Behavior: the code asks for the node on which the first job fits now, and computes the start time for this node. A
# job that waits fits on no node, so its guaranteed start is infinite, and each other job may start. A job of 8 GPUs
# waits on a node of 8 GPUs, all of which are free after 10 h. A job of 4 GPUs and 10 h arrives each hour. The wide
# job starts after all of them, at 60 h for 10 and at 210 h for 40. By FCFS, and by EASY, it starts at 10 h. The
# documentation gives the results of this baseline as the target for learned policies. No issue was found on this.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q gpu-choochoo==0.1.0
cat >"$folder/program.py" <<'PROGRAM'
import contextlib
import io
from gpu_choochoo.core.cluster import Cluster
from gpu_choochoo.core.node import Node
from gpu_choochoo.schedulers.heuristic import BestFitBackfillScheduler, PureFCFSScheduler
from gpu_choochoo.simulation.driver import SimulatorDriver

def job(name, hour, gpus, hours):
    return {"job_id": name, "arrival_time": hour * 3600, "gpus_required": gpus, "duration_sec": hours * 3600,
            "vram_required_gb": gpus}

for scheduler in PureFCFSScheduler, BestFitBackfillScheduler:
    for count in 10, 20, 40:
        cluster = Cluster([Node("node", "A100", 8, 640)])
        jobs = [job("first", 0, 4, 10), job("wide", 1, 8, 1)]
        jobs += [job(f"narrow {index}", 2 + index, 4, 10) for index in range(count)]
        with contextlib.redirect_stdout(io.StringIO()):
            SimulatorDriver(cluster, scheduler(cluster), jobs).run_simulation()
        starts = {job.job_id: job.start_time / 3600 for job in cluster.completed_jobs}
        print(scheduler.__name__, "narrow jobs", count, "completed", len(starts), "wide job starts at", starts["wide"])
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
PureFCFSScheduler narrow jobs 10 completed 12 wide job starts at 10.0
PureFCFSScheduler narrow jobs 20 completed 22 wide job starts at 10.0
PureFCFSScheduler narrow jobs 40 completed 42 wide job starts at 10.0
BestFitBackfillScheduler narrow jobs 10 completed 12 wide job starts at 60.0
BestFitBackfillScheduler narrow jobs 20 completed 22 wide job starts at 110.0
BestFitBackfillScheduler narrow jobs 40 completed 42 wide job starts at 210.0
EXPECTED

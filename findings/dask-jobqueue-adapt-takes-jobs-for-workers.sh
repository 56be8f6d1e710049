#!/usr/bin/env bash
# dask-jobqueue: adapt(minimum_cores=8) holds no 8 cores; it starts a job of 4 cores and ends it, again and again.
#
# Seen with dask-jobqueue 0.9.0 and distributed 2026.8.0 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Behavior: a job has 4 cores and 4 worker processes. adapt divides minimum_cores by the cores of a job, and takes the
# result for a number of workers: 2. One job has 4 workers. Two are too many, and they are retired by the end of their
# job. Then 2 are missing. On a cluster, each new job waits in the queue. By minimum_jobs=2 the limit is right. The code
# of maximum_cores and of the limits of memory is alike; the documentation advises them ("or use core/memory limits").
#
# The jobs are local processes (LocalCluster of dask-jobqueue). The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q dask-jobqueue==0.9.0 distributed==2026.8.0
cat >"$folder/program.py" <<'PROGRAM'
import time
from dask_jobqueue.local import LocalCluster

def trace(seconds, **limits):
    options = {"dashboard_address": None}
    with LocalCluster(cores=4, processes=4, memory="1 GiB", scheduler_options=options) as cluster:
        adaptive = cluster.adapt(interval="200 ms", **limits)
        end, cores, ends = time.time() + seconds, set(), 0
        while time.time() < end and ends < 2:
            time.sleep(0.05)
            cores.add(4 * len(cluster.worker_spec))
            ends = sum(entry["status"] == "down" for _, entry in list(adaptive.log))
        print(limits, "workers", adaptive.minimum, "most cores", max(cores), "jobs ended", ends)

if __name__ == "__main__":
    trace(8, minimum_jobs=2)
    trace(60, minimum_cores=8)
PROGRAM
TMPDIR=$folder "$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
{'minimum_jobs': 2} workers 8 most cores 8 jobs ended 0
{'minimum_cores': 8} workers 2 most cores 4 jobs ended 2
EXPECTED

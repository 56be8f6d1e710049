#!/usr/bin/env bash
# evalys: the first job of each SWF trace is lost, so the load is wrong.
#
# Seen with evalys 4.0.7, pandas 2.3.3 and numpy 2.4.6 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Behavior: a trace in the Standard Workload Format has no row of column names; its header lines start with ";". The
# reader skips those lines and reads the first job as the row of names. Here job 1 uses 4 of 8 processors for 100 s.
# The reported mean is 4.0 processors from second 10 on, instead of 6.25 from second 0 on. A trace that is
# read and written several times loses one more job each time.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q evalys==4.0.7 pandas==2.3.3 numpy==2.4.6
cat >"$folder/trace.swf" <<'TRACE'
; Version: 2.2
; MaxProcs: 8
; UnixStartTime: 0
1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1
2 10 0 100 2 -1 -1 2 100 -1 1 1 1 -1 1 -1 -1 -1
3 20 90 50 8 -1 -1 8 100 -1 1 1 1 -1 1 -1 -1 -1
TRACE
cat >"$folder/program.py" <<'PROGRAM'
import sys
from evalys.metrics import load_mean
from evalys.workload import Workload

workload = Workload.from_csv(sys.argv[1])
load = workload.utilisation
print("jobs", list(workload.df.jobID), "from", load.index[0], "mean", round(float(load_mean(load)), 3))
PROGRAM
MPLCONFIGDIR=$folder "$folder/env/bin/python" -W ignore "$folder/program.py" "$folder/trace.swf" | tee "$folder/output"
grep -qx 'jobs \[2, 3\] from 10 mean 4.0' "$folder/output"

#!/usr/bin/env bash
# slurm2sql: the used GPU seconds of a job on several GPUs exceed those that it had.
#
# Seen with slurm2sql 0.9.9 (CPython 3.11, Linux x86-64), 2026-11-30.
#
# Documentation: GpuUtil is "normalized to fraction 0.0-ngpus". The view eff has gpu_s_reserved and gpu_s_used.
#
# Behavior: three jobs of one hour use half of each of their 1, 4 and 8 GPUs, as sacct reports it (gres/gpuutil=50,
# 200 and 400). GpuEff is 0.5 each time. gpu_s_used is the utilization of all GPUs times the number of GPUs again. So
# the job on 8 GPUs used 115200 of 28800 GPU seconds. A sum per user or month counts wide jobs most. Issue 18 of
# slurm2sql was the like fault of GpuEff, and its repair did not reach this column.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q slurm2sql==0.9.9
{
  echo 'JobID,JobIDRaw,User,State,Submit,Start,End,Elapsed,NNodes,NCPUS,CPUTime,ReqMem,AllocTRES,ReqTRES,TRESUsageInTot'
  for gpus in 1 4 8; do
    times=COMPLETED,2026-11-02T08:00:00,2026-11-02T08:00:00,2026-11-02T09:00:00,01:00:00,1,8,08:00:00
    resources="\"billing=8,cpu=8,gres/gpu=$gpus,mem=64G,node=1\""
    echo "10$gpus,10$gpus,ada,$times,64G,$resources,$resources,"
    echo "10$gpus.0,10$gpus.0,,$times,,$resources,,\"cpu=04:00:00,gres/gpumem=10G,gres/gpuutil=$((50 * gpus)),mem=20G\""
  done
} >"$folder/sacct.csv"
"$folder/env/bin/slurm2sql" "$folder/jobs.db" --csv-input "$folder/sacct.csv" --quiet
cat >"$folder/program.py" <<'PROGRAM'
import sqlite3
import sys

for row in sqlite3.connect(sys.argv[1]).execute(
        "SELECT JobID, NGpus, GpuEff, gpu_s_reserved, gpu_s_used, cpu_s_reserved, cpu_s_used FROM eff"):
    print("job %s GPUs %g GpuEff %g reserved %g used %g CPU seconds reserved %g used %g" % row)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/jobs.db" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
job 101 GPUs 1 GpuEff 0.5 reserved 3600 used 1800 CPU seconds reserved 28800 used 14400
job 104 GPUs 4 GpuEff 0.5 reserved 14400 used 28800 CPU seconds reserved 28800 used 14400
job 108 GPUs 8 GpuEff 0.5 reserved 28800 used 115200 CPU seconds reserved 28800 used 14400
EXPECTED

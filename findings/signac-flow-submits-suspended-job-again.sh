#!/usr/bin/env bash
# signac-flow: it submits an operation a second time while its Slurm job is suspended or waits for its node to boot.
#
# Seen with signac-flow 0.29.1 and signac 2.4.1 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "a group is eligible for submission when it is not considered active, that means already queued or
# running".
#
# Behavior: the parser of squeue knows PD and R. CF (allocated, its node boots) and S (suspended) become "registered".
# Only states above "registered" hold back a second job. CG (the processes still end) counts as inactive. So submit()
# calls sbatch again in these three states. Both jobs then write the same workspace. A scheduler that suspends jobs, or
# that starts nodes on demand, gets each job twice. Nextflow (issue 36) and seml (issue 20) had similar faults.
#
# squeue and sbatch are short scripts: one prints the job in the format that signac-flow requests, one counts calls.
# squeue of Slurm 22.05.8 lists jobs in CF and in S in the same call.
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q signac-flow==0.29.1 signac==2.4.1
mkdir "$folder/bin"
cat >"$folder/bin/squeue" <<'STUB'
#!/bin/sh
cat jobs
STUB
cat >"$folder/bin/sbatch" <<'STUB'
#!/bin/sh
[ "$1" = --version ] || echo call >>calls
STUB
chmod +x "$folder"/bin/*
cat >"$folder/program.py" <<'PROGRAM'
import pathlib, sys
import flow

class Project(flow.FlowProject):
    pass

@Project.post(lambda job: job.isfile("model"))
@Project.operation
def train(job):
    pass

project = Project.init_project()
job = project.open_job({"seed": 1}).init()
name = project.groups["train"]._generate_id((job,))
pathlib.Path("jobs").write_text(f"{sys.argv[1]:2}{name:100}\n")
pathlib.Path("calls").write_text("")
project.submit()
print(sys.argv[1], "second jobs", len(pathlib.Path("calls").read_text().split()))
PROGRAM
for state in PD R CF S CG; do
  mkdir "$folder/$state"
  (cd "$folder/$state" && PATH="$folder/bin:$PATH" "$folder/env/bin/python" "$folder/program.py" "$state" 2>/dev/null)
done >"$folder/log"
grep 'second jobs' "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
PD second jobs 0
R second jobs 0
CF second jobs 1
S second jobs 1
CG second jobs 1
EXPECTED

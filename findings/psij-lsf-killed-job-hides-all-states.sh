#!/usr/bin/env bash
# PSI/J: after LSF kills one job at its time limit, no job of the executor gets a new state, and wait() never ends.
#
# Seen with psij-python 0.9.11 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Behavior: bjobs states why a job ended in EXIT_REASON. PSI/J then reads the key "reason", which no record has. The
# KeyError ends the whole poll. The count of failed polls returns to 0 whenever bjobs itself succeeds, so the threshold
# queue_polling_error_threshold (here 2) is never exceeded. The job that is DONE stays QUEUED as well, for as long as
# LSF lists the killed job. Without a reason both states arrive. A scheduler above PSI/J holds these slots for nothing.
#
# bsub and bjobs are short scripts. They print the forms that PSI/J requests from LSF (-json and the five fields).
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q psij-python==0.9.11
mkdir "$folder/bin"
cat >"$folder/bin/bsub" <<'STUB'
#!/bin/sh
echo x >>"$HOME/calls"
echo "Job <$(wc -l <"$HOME/calls")> is submitted to default queue <normal>."
STUB
cat >"$folder/bin/bjobs" <<'STUB'
#!/bin/sh
echo x >>"$HOME/polls"
cat "$HOME/records"
STUB
chmod +x "$folder"/bin/*
cat >"$folder/program.py" <<'PROGRAM'
import datetime, json, pathlib
from psij import Job, JobExecutor, JobSpec
from psij.executors.batch.lsf import LsfExecutorConfig

home = pathlib.Path.home()

def record(number, state, reason):
    return {"JOBID": number, "STAT": state, "EXIT_REASON": reason, "KILL_REASON": "", "SUSPEND_REASON": ""}

def run(reason):
    records = [record("1", "DONE", ""), record("2", "EXIT", reason)]
    (home / "records").write_text(json.dumps({"COMMAND": "bjobs", "JOBS": 2, "RECORDS": records}))
    (home / "calls").unlink(missing_ok=True)
    (home / "polls").unlink(missing_ok=True)
    config = LsfExecutorConfig(initial_queue_polling_delay=1, queue_polling_interval=1, queue_polling_error_threshold=2)
    executor = JobExecutor.get_instance("lsf", config=config)
    jobs = [Job(JobSpec(executable="/bin/true")) for _ in range(2)]
    for job in jobs:
        executor.submit(job)
    for job in jobs:
        job.wait(timeout=datetime.timedelta(seconds=8))
    polls = len((home / "polls").read_text().split())
    print(reason or "no reason", [job.status.state.name for job in jobs], "more than 5 polls", polls > 5)

run("")
run("TERM_RUNLIMIT: job killed after reaching LSF run time limit")
PROGRAM
HOME=$folder PATH="$folder/bin:$PATH" "$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" |
  tee "$folder/output"
grep -q "KeyError: 'reason'" "$folder/errors"
diff "$folder/output" - <<'EXPECTED'
no reason ['COMPLETED', 'FAILED'] more than 5 polls False
TERM_RUNLIMIT: job killed after reaching LSF run time limit ['QUEUED', 'QUEUED'] more than 5 polls True
EXPECTED

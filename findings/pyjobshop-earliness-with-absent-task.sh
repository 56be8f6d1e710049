#!/usr/bin/env bash
# PyJobShop: the end of a job counts its absent optional tasks, so the optimum of the earliness is wrong.
#
# Seen with pyjobshop 0.0.9 and ortools 9.14.6206 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation (Objective): the earliness of a job is max(due date - completion time, 0). Solution computes the
# completion time from the tasks that are present.
#
# Behavior: a task of 5 must end by 8 and its job is due at 20, so the least earliness is 12. With one more optional
# task in the job PyJobShop reports OPTIMAL with objective 0 and bound 0: in its model the absent task ends at 20. Its
# own Solution object has the objective 12 to 15, as the start of the present task no longer matters. A gap to such a
# bound is wrong.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q pyjobshop==0.0.9 ortools==9.14.6206
cat >"$folder/program.py" <<'PROGRAM'
from pyjobshop import Model

def solve(optional):
    model = Model()
    machine = model.add_machine()
    job = model.add_job(due_date=20)
    model.add_mode(model.add_task(job=job, latest_end=8), machine, 5)
    if optional:
        # It would end at 35 or later, so that leaving it out is the only way.
        model.add_mode(model.add_task(job=job, earliest_start=30, latest_end=34, optional=True), machine, 5)
    model.set_objective(weight_total_earliness=1)
    result = model.solve(display=False)
    print(result.status.name, result.objective, result.lower_bound, [task.present for task in result.best.tasks])
    assert (result.best.objective == result.objective) != optional and result.best.objective >= 12

solve(optional=False)
solve(optional=True)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
OPTIMAL 12.0 12.0 [True]
OPTIMAL 0.0 0.0 [True, False]
EXPECTED

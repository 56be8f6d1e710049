#!/usr/bin/env bash
# PyJobShop: the constraint same_sequence is wrong if a task has two modes on a machine, and the result says OPTIMAL.
#
# Seen with pyjobshop 0.0.9 and ortools 9.14.6206 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation (SameSequence): without tasks1 and tasks2 the constraint covers "all tasks assigned to each machine",
# in the ascending order of their indices.
#
# Behavior: a flow shop of 3 jobs and 2 machines has the optimum 7. A second, longer mode of the first task can only
# add schedules, so the optimum stays 7. PyJobShop lists that task once per mode, and pairs the tasks of the machines
# wrongly. It reports OPTIMAL with makespan 11 and lower bound 11, and the order of the jobs differs between the
# machines. With tasks1 and tasks2 the result is right. A job that can use 1 or 2 devices of a node is such a task.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q pyjobshop==0.0.9 ortools==9.14.6206
cat >"$folder/program.py" <<'PROGRAM'
from pyjobshop import Model

def solve(second_mode, explicit=False):
    model = Model()
    machines = [model.add_machine(), model.add_machine()]
    tasks = []
    for durations in [(3, 1), (1, 3), (2, 2)]:
        pair = [model.add_task(), model.add_task()]
        for task, machine, duration in zip(pair, machines, durations):
            model.add_mode(task, machine, duration)
        model.add_end_before_start(*pair)
        tasks.append(pair)
    if second_mode:
        model.add_mode(tasks[0][0], machines[0], 5)
    lists = [list(column) for column in zip(*tasks)] if explicit else []
    model.add_same_sequence(*machines, *lists)
    result = model.solve(display=False)
    starts = [task.start for task in result.best.tasks]
    orders = [sorted(range(3), key=starts[machine::2].__getitem__) for machine in (0, 1)]
    same = "equal" if orders[0] == orders[1] else "differ"
    print(result.status.name, result.objective, result.lower_bound, "orders", same)

solve(second_mode=False)
solve(second_mode=True)
solve(second_mode=True, explicit=True)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
OPTIMAL 7.0 7.0 orders equal
OPTIMAL 11.0 11.0 orders differ
OPTIMAL 7.0 7.0 orders equal
EXPECTED

#!/usr/bin/env bash
# calrcpsp: a task that becomes free at the end of a shift starts at that end, on Friday at 17:00 instead of on Monday.
#
# Seen with calrcpsp 1.0.1 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "A task runs only during working periods". start_times() gives the "calendar start moment of every
# task", and all work stays inside of the working periods.
#
# Behavior: two tasks share a machine that works from 8 to 17 o'clock. The first one has 8 hours of work and ends with
# the shift on Friday. The second one has 2 hours. Its segment is right, on Monday from 8 to 10. Its start is Friday
# 17:00, where the same calendar says that nobody works. So elapsed_hours is 65 for a task that no break interrupts.
# The conversion takes the earliest moment with 8 elapsed hours, which fits an end, but not a start. After a task of 9
# hours the start is right. validate_schedule() reports a feasible schedule. A scheduler that takes this start reserves
# a node for a closed weekend. TaskJuggler had a similar fault (issue 4); no report was found for calrcpsp.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q calrcpsp==1.0.1
cat >"$folder/program.py" <<'PROGRAM'
import datetime, json, pathlib, sys
from calrcpsp import load_instance, solve, validate_schedule

def show(hours):
    tasks = [{"task_id": name, "task_type": "training", "duration": duration, "required_skills": ["train"]}
             for name, duration in (("first", hours), ("second", 2))]
    shift = {"name": "day", "start": "08:00", "end": "17:00", "days": [0, 1, 2, 3, 4]}
    pathlib.Path(sys.argv[1]).write_text(json.dumps({
        "tasks": tasks, "dependencies": [["first", "second"]],
        "resources": [{"resource_id": "M1", "resource_type": "Machine", "skills": {"train": 1.0}}],
        "calendar_requirements": {"shift_type": "day", "shifts": [shift],
                                  "lunch_break": {"start": "12:00", "end": "13:00"}, "holidays": []}}))
    schedule = solve(load_instance(sys.argv[1]), project_start=datetime.datetime(2025, 1, 10, 8))
    task = schedule.task("second")
    print(f"start {task.start:%a %H:%M} working {schedule.calendar.is_working_time(task.start)}",
          f"first work {task.segments[0][0]:%a %H:%M} elapsed {task.elapsed_hours:.0f}",
          "interrupted", task.interrupted, "feasible", validate_schedule(schedule)["feasible"])

show(8)
show(9)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" "$folder/instance.json" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
start Fri 17:00 working False first work Mon 08:00 elapsed 65 interrupted False feasible True
start Mon 09:00 working True first work Mon 09:00 elapsed 2 interrupted False feasible True
EXPECTED

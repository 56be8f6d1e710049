#!/usr/bin/env bash
# croniter: the range 9-9 of the hours is each hour of the day; cronsim starts at 9, 11, 13, ... for 9-9/2.
#
# Seen with croniter 7.0.0, cronsim 2.8, and apscheduler 3.11.3 and cron-converter 2.0.2 for comparison (CPython 3.11,
# Linux x86-64), 2026-12-01.
#
# Documentation (crontab(5) of Debian): "The specified range is inclusive. For example, 8-11 for an 'hours' entry
# specifies execution at hours 8, 9, 10 and 11." A step "specifies skips of the number's value through the range".
# README of cronsim: an expression read "differently from Debian's cron, that's a bug".
#
# Behavior: a form writes the first and the last hour of a window, "0 9-9 * * *" for one hour. croniter starts 24 times
# a day, and in each month, on each day or weekday if the other fields are written that way. A comment in its code
# wants this for Sun-Sun and Jan-Jan. The others start once a day. With a step of 2, cronsim reads 9-9/2 as 9/2, that
# is, from 9 on. So a maintenance window of one hour is open all day, in tools that read cron lines with croniter, such
# as Airflow. Ranges of two hours are the same in all of them. No report was found.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q croniter==7.0.0 cronsim==2.8 apscheduler==3.11.3 cron-converter==2.0.2
cat >"$folder/program.py" <<'PROGRAM'
from datetime import datetime, timedelta, timezone
from apscheduler.triggers.cron import CronTrigger
from cron_converter import Cron
from croniter import croniter
from cronsim import CronSim

start = datetime(2026, 3, 1, tzinfo=timezone.utc) - timedelta(minutes=1)

def trigger(line):
    try:
        trigger = CronTrigger.from_crontab(line, timezone.utc)
    except ValueError:
        return
    instance = None
    while True:
        instance = trigger.get_next_fire_time(instance, instance or start)
        yield instance

def converter(line):
    schedule = Cron(line).schedule(start)
    while True:
        yield schedule.next()

def show(line, field):
    readers = {"croniter": croniter(line, start, datetime), "cronsim": CronSim(line, start),
               "apscheduler": trigger(line), "cron-converter": converter(line)}
    print(line)
    for name, instances in readers.items():
        print("  " + name, *[instance.strftime(field) for _, instance in zip(range(5), instances)] or ["refuses it"])

show("0 9-10 * * *", "%d.-%H:%M")
show("0 9-9 * * *", "%d.-%H:%M")
show("0 9-9/2 * * *", "%d.-%H:%M")
show("30-30 9 * * *", "%d.-%H:%M")
show("0 9 5-5 * *", "%d.%m.")
show("0 9 1 4-4 *", "%d.%m.%y")
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
0 9-10 * * *
  croniter 01.-09:00 01.-10:00 02.-09:00 02.-10:00 03.-09:00
  cronsim 01.-09:00 01.-10:00 02.-09:00 02.-10:00 03.-09:00
  apscheduler 01.-09:00 01.-10:00 02.-09:00 02.-10:00 03.-09:00
  cron-converter 01.-09:00 01.-10:00 02.-09:00 02.-10:00 03.-09:00
0 9-9 * * *
  croniter 01.-00:00 01.-01:00 01.-02:00 01.-03:00 01.-04:00
  cronsim 01.-09:00 02.-09:00 03.-09:00 04.-09:00 05.-09:00
  apscheduler 01.-09:00 02.-09:00 03.-09:00 04.-09:00 05.-09:00
  cron-converter 01.-09:00 02.-09:00 03.-09:00 04.-09:00 05.-09:00
0 9-9/2 * * *
  croniter 01.-00:00 01.-02:00 01.-04:00 01.-06:00 01.-08:00
  cronsim 01.-09:00 01.-11:00 01.-13:00 01.-15:00 01.-17:00
  apscheduler refuses it
  cron-converter 01.-09:00 02.-09:00 03.-09:00 04.-09:00 05.-09:00
30-30 9 * * *
  croniter 01.-09:00 01.-09:01 01.-09:02 01.-09:03 01.-09:04
  cronsim 01.-09:30 02.-09:30 03.-09:30 04.-09:30 05.-09:30
  apscheduler 01.-09:30 02.-09:30 03.-09:30 04.-09:30 05.-09:30
  cron-converter 01.-09:30 02.-09:30 03.-09:30 04.-09:30 05.-09:30
0 9 5-5 * *
  croniter 01.03. 02.03. 03.03. 04.03. 05.03.
  cronsim 05.03. 05.04. 05.05. 05.06. 05.07.
  apscheduler 05.03. 05.04. 05.05. 05.06. 05.07.
  cron-converter 05.03. 05.04. 05.05. 05.06. 05.07.
0 9 1 4-4 *
  croniter 01.03.26 01.04.26 01.05.26 01.06.26 01.07.26
  cronsim 01.04.26 01.04.27 01.04.28 01.04.29 01.04.30
  apscheduler 01.04.26 01.04.27 01.04.28 01.04.29 01.04.30
  cron-converter 01.04.26 01.04.27 01.04.28 01.04.29 01.04.30
EXPECTED

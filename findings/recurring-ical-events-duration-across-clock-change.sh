#!/usr/bin/env bash
# recurring-ical-events: an event with a DURATION of hours is an hour too short or too long across a change of the clock.
#
# Seen with recurring-ical-events 3.8.2 and icalendar 7.3.2 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Behavior: a daily event of PT6H starts at 23:00 in Europe/Berlin. RFC 5545 (3.3.6) counts hours of a duration exactly.
# The event of the night of the change in spring ends after 5 hours, the one in autumn after 7 hours, because the end is
# computed on the wall clock. A reservation of a cluster that is read this way ends while its jobs still run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q recurring-ical-events==3.8.2 icalendar==7.3.2
cat >"$folder/program.py" <<'PROGRAM'
import datetime as d
import icalendar, recurring_ical_events

def hours(start):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
             f"DTSTART;TZID=Europe/Berlin:{start}", "DURATION:PT6H", "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT",
             "END:VCALENDAR", ""]
    calendar = icalendar.Calendar.from_ical("\r\n".join(lines))
    events = recurring_ical_events.of(calendar).between((2026, 1, 1), (2027, 1, 1))
    return [(e["DTEND"].dt.astimezone(d.UTC) - e["DTSTART"].dt.astimezone(d.UTC)) / d.timedelta(hours=1) for e in events]

print("spring", hours("20260327T230000"))
print("autumn", hours("20261023T230000"))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
grep -qx 'spring \[6.0, 5.0, 6.0\]' "$folder/output"
grep -qx 'autumn \[6.0, 7.0, 6.0\]' "$folder/output"

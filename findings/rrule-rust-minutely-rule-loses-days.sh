#!/usr/bin/env bash
# rrule-rust: a rule by minutes with days and hours loses whole weeks, or gives no instance at all.
#
# Seen with rrule-rust 3.1.1 and rrule-temporal 2.2.8 (Node.js 20.20, Linux x86-64), 2026-12-01. python-dateutil 4.0.0
# gives the instances of rrule-temporal.
#
# Behavior: a rule covers each 30 minutes from 8 to 9 o'clock on Mondays and Tuesdays, in UTC. From the second week on
# all Mondays are missing. If the start is on a Sunday at 4 o'clock and the window is Monday from 6 to 7, nothing is
# left, and there is no error. With working days from 8 to 18 o'clock the first instance is on Tuesday at 16:00. With
# FREQ=HOURLY the result is right. rrule.js has open reports of a similar loss (jkbrzt/rrule 373, 400 and 600); none
# was found for this package. A scheduler that reads its maintenance windows this way starts jobs within them.
#
# Node.js and npm are required. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" rrule-rust@3.1.1 rrule-temporal@2.2.8 >"$folder/log"
cat >"$folder/program.mjs" <<'PROGRAM'
import { RRuleTemporal } from "rrule-temporal";
import rust from "rrule-rust";

const form = (milliseconds) => new Date(milliseconds).toISOString().slice(5, 16);

function show(start, rule, number) {
  const text = `DTSTART:${start}Z\nRRULE:${rule}`;
  console.log(rule);
  const right = new RRuleTemporal({ rruleString: text }).all((_, index) => index < number);
  console.log(" temporal", right.map((instance) => form(instance.epochMilliseconds)).join(" "));
  const found = rust.RRuleSet.fromString(text).all(number);
  console.log(" rust    ", found.map((instance) => form(instance.toDate().getTime())).join(" ") || "none");
}

show("20260302T080000", "FREQ=MINUTELY;INTERVAL=30;BYDAY=MO,TU;BYHOUR=8", 7);
show("20260301T040000", "FREQ=MINUTELY;INTERVAL=30;BYDAY=MO;BYHOUR=6", 3);
show("20260301T040000", "FREQ=MINUTELY;INTERVAL=15;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,9,10,11,12,13,14,15,16,17", 2);
show("20260301T040000", "FREQ=HOURLY;BYDAY=MO;BYHOUR=6", 3);
PROGRAM
node "$folder/program.mjs" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
FREQ=MINUTELY;INTERVAL=30;BYDAY=MO,TU;BYHOUR=8
 temporal 03-02T08:00 03-02T08:30 03-03T08:00 03-03T08:30 03-09T08:00 03-09T08:30 03-10T08:00
 rust     03-02T08:00 03-02T08:30 03-03T08:00 03-03T08:30 03-10T08:00 03-10T08:30 03-17T08:00
FREQ=MINUTELY;INTERVAL=30;BYDAY=MO;BYHOUR=6
 temporal 03-02T06:00 03-02T06:30 03-09T06:00
 rust     none
FREQ=MINUTELY;INTERVAL=15;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,9,10,11,12,13,14,15,16,17
 temporal 03-02T08:00 03-02T08:15
 rust     03-03T16:00 03-03T16:15
FREQ=HOURLY;BYDAY=MO;BYHOUR=6
 temporal 03-02T06:00 03-09T06:00 03-16T06:00
 rust     03-02T06:00 03-09T06:00 03-16T06:00
EXPECTED

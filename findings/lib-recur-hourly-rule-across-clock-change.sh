#!/usr/bin/env bash
# lib-recur: an hourly rule gives one instant twice in spring, and leaves out an hour in autumn.
#
# Seen with org.dmfs:lib-recur 0.17.1, rfc5545-datetime 0.3 and jems2 2.23.1 (OpenJDK 17, Linux x86-64), 2026-11-29.
# net.sf.biweekly 0.6.8 gives the same instants; org.mnode.ical4j 4.1.1 gives each hour once.
#
# Behavior: FREQ=HOURLY in Europe/Berlin steps on the wall clock. The wall times 02:00 and 03:00 of 2026-03-29 are the
# same instant, so COUNT=4 covers 3 hours. On 2026-10-25 the hour from 00:00Z to 01:00Z has no instance.
#
# Maven (mvn) and a JDK (java) are required; the artifacts come from Maven Central.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for artifact in org.dmfs:lib-recur:0.17.1 org.dmfs:rfc5545-datetime:0.3 org.dmfs:jems2:2.23.1; do
  (cd "$folder" && "${MVN:-mvn}" -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$folder/jars")
done
cat >"$folder/Instances.java" <<'PROGRAM'
import java.time.Instant;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;

public class Instances {
    public static void main(String[] starts) throws Exception {
        for (String start : starts) {
            RecurrenceRuleIterator instances =
                    new RecurrenceRule("FREQ=HOURLY;COUNT=4").iterator(DateTime.parse("Europe/Berlin", start));
            StringBuilder line = new StringBuilder(start);
            while (instances.hasNext()) {
                line.append(' ').append(Instant.ofEpochMilli(instances.nextMillis()).toString(), 11, 16);
            }
            System.out.println(line);
        }
    }
}
PROGRAM
java -cp "$folder/jars/*" "$folder/Instances.java" 20260329T010000 20261025T010000 | tee "$folder/output"
grep -qx '20260329T010000 00:00 01:00 01:00 02:00' "$folder/output"
grep -qx '20261025T010000 23:00 01:00 02:00 03:00' "$folder/output"

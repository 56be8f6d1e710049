package dev.spur.simulator.report;

import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.report.plot.Axis;
import dev.spur.simulator.report.plot.Gantt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Gantt chart of the first jobs of a replay: one bar per allocation interval, in the color of its accelerator type. */
final class GanttRows {
    /** Maximum number of rows; more rows would be thinner than a line. */
    static final int MAX_JOBS = 200;

    private static final double HOUR = 3600;

    private final List<JobOutcome> jobs;
    private final Map<String, Integer> rows = new HashMap<>();
    private final List<String> types = new ArrayList<>();
    private final List<Gantt.Bar> bars = new ArrayList<>();
    private double end;

    private GanttRows(Replay replay) {
        jobs = replay.jobs().subList(0, Math.min(MAX_JOBS, replay.jobs().size()));
        for (JobOutcome job : jobs) {
            rows.put(job.id(), rows.size());
        }
        replay.allocationIntervals().stream()
                .map(interval -> interval.allocation().configuration().acceleratorType())
                .distinct()
                .sorted()
                .forEach(types::add);
        addWaits();
        replay.allocationIntervals().forEach(this::addStay);
    }

    static String draw(Replay replay) {
        GanttRows own = new GanttRows(replay);
        return Gantt.draw(
                "Jobs under " + replay.policy(),
                Axis.linear("time (h)", 0, own.end),
                own.jobs.size(),
                own.types,
                own.bars);
    }

    /** Adds a thin bar over the whole life of each job; the visible parts of it are waiting times. */
    private void addWaits() {
        for (int row = 0; row < jobs.size(); row++) {
            JobOutcome job = jobs.get(row);
            Double ended = job.end();
            if (ended != null) {
                end = Math.max(end, ended / HOUR);
                bars.add(new Gantt.Bar(row, job.arrival() / HOUR, ended / HOUR, -1, job.id()));
            }
        }
    }

    private void addStay(AllocationInterval interval) {
        Integer row = rows.get(interval.jobId());
        if (row == null) {
            return;
        }
        var configuration = interval.allocation().configuration();
        String hint = String.format(
                Locale.ROOT,
                "%s: %d %s from %.2f h to %.2f h on %s",
                interval.jobId(),
                configuration.slots(),
                configuration.acceleratorType(),
                interval.start() / HOUR,
                interval.end() / HOUR,
                ResultFiles.nodes(interval));
        end = Math.max(end, interval.end() / HOUR);
        bars.add(new Gantt.Bar(
                row,
                interval.start() / HOUR,
                interval.end() / HOUR,
                types.indexOf(configuration.acceleratorType()),
                hint));
    }
}

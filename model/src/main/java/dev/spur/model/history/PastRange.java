package dev.spur.model.history;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import java.time.Instant;
import java.util.List;

/**
 * Past time range of a cluster.
 *
 * @param format name and version of the format, {@link #FORMAT}
 * @param since start, inclusive
 * @param until end, exclusive
 * @param roundSeconds time between two rounds, seconds
 * @param state nodes, tenants, groups and settings at the time of the export, without jobs
 * @param capacities changes of the number of slots in the range, and the last one before it of each type, by time
 * @param jobs training jobs that were active in the range, by submission
 */
public record PastRange(
        String format,
        Instant since,
        Instant until,
        double roundSeconds,
        RoundProblem state,
        List<CapacityChange> capacities,
        List<PastJob> jobs) {
    /** Name and version of the format. */
    public static final String FORMAT = "spur-history/1";

    /** @throws IllegalArgumentException if the format is another one, or the range is empty */
    public PastRange {
        Checks.require(format.equals(FORMAT), "format (%s) must be %s", format, FORMAT);
        Checks.require(since.isBefore(until), "since (%s) must be before until (%s)", since, until);
        Checks.positive("roundSeconds", roundSeconds);
        capacities = Checks.copy(capacities);
        jobs = Checks.copy(jobs);
    }
}

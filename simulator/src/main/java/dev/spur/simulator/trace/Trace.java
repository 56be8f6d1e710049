package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Jobs in the order of arrival, with a count of the skipped rows.
 *
 * @param name name of the trace in reports
 * @param jobs jobs by arrival, then by id
 * @param skipped number of skipped rows of the file, by reason
 */
public record Trace(String name, List<TraceJob> jobs, Map<String, Integer> skipped) {
    public Trace {
        jobs = Checks.copy(jobs).stream()
                .sorted(Comparator.comparingDouble(TraceJob::arrival).thenComparing(TraceJob::id))
                .toList();
        skipped = Checks.copy(skipped);
        long ids = jobs.stream().map(TraceJob::id).distinct().count();
        Checks.require(
                ids == jobs.size(), "%d of %d jobs share an id with another one", jobs.size() - ids, jobs.size());
    }

    /** Returns a text with the number of jobs and the number of skipped rows. */
    public String description() {
        String left = skipped.entrySet().stream()
                .map(entry -> "%,d %s".formatted(entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "));
        return "%s: %,d jobs%s.".formatted(name, jobs.size(), left.isEmpty() ? "" : "; left out: " + left);
    }

    /** Returns a text that identifies the trace: ids, arrivals, slots, durations and dependencies of all jobs. */
    public String fingerprint() {
        return jobs.stream()
                .map(job -> "%s %s %s %s %s%s"
                        .formatted(
                                job.id(),
                                job.arrival(),
                                job.tenant(),
                                job.requestedSlots(),
                                job.aloneSeconds(),
                                job.dependencies().isEmpty() ? "" : " " + job.dependencies()))
                .collect(Collectors.joining("\n", name + "\n", ""));
    }
}

package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Jobs in the order of their arrival, and what was left out.
 *
 * @param name what to call it in reports
 * @param jobs by arrival, then by id
 * @param skipped how many rows of the file were left out, by the reason in words
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

    /** How many jobs there are, and what was left out, in words. */
    public String described() {
        String left = skipped.entrySet().stream()
                .map(entry -> "%,d %s".formatted(entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "));
        return "%s: %,d jobs%s.".formatted(name, jobs.size(), left.isEmpty() ? "" : "; left out: " + left);
    }

    /** Tells traces apart: ids, arrivals, slots and lengths of all jobs. */
    public String fingerprint() {
        return jobs.stream()
                .map(job -> "%s %s %s %s %s"
                        .formatted(job.id(), job.arrival(), job.tenant(), job.requestedSlots(), job.aloneSeconds()))
                .collect(Collectors.joining("\n", name + "\n", ""));
    }
}

package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Explanation of the configuration of a running job. */
public final class ConfigurationExplanation {
    private ConfigurationExplanation() {}

    /** Returns the message for job {@code j}, which runs as {@code given}. */
    public static String message(CandidateSet candidates, int j, Allocation given, double goodput, double worth) {
        JobSpec spec = candidates.job(j).spec();
        return choice(candidates, j, given, goodput, worth)
                + contention(spec, given.configuration())
                + BatchSizeMessages.of(spec);
    }

    private static String contention(JobSpec spec, Configuration given) {
        double speed = spec.profile().contentionSpeed(given.acceleratorType(), given.slots(), given.nodes());
        return speed == 1
                ? ""
                : " Its nodes have room for another job on several nodes: it counts as %s slower by contention of type %s."
                        .formatted(percent(1 / speed - 1), given.acceleratorType());
    }

    private static String choice(CandidateSet candidates, int j, Allocation given, double goodput, double worth) {
        Job job = candidates.job(j);
        String shape = describe(given.configuration(), goodput);
        ProfilingTarget profilingTarget = job.profilingTarget();
        if (profilingTarget != null && profilingTarget.matches(given.configuration())) {
            return "Profiling run on %s: it gains the most information about the throughput within the profiling budget."
                    .formatted(shape);
        }
        if (candidates.isPinned(j)) {
            String why = job.spec().preemptible() ? "its minimum run time has not elapsed" : "it is not preemptible";
            return "Keeps %s: %s.".formatted(shape, why);
        }
        List<Candidate> fresh = candidates.of(j).fresh();
        double max = fresh.stream().mapToDouble(Candidate::utility).max().orElse(worth);
        if (max <= worth * (1 + 1e-9)) {
            return "Runs on %s: no other configuration has a higher utility.".formatted(shape);
        }
        Optional<Candidate> next = fresh.stream()
                .filter(candidate -> candidate.utility() > worth)
                .min(Comparator.comparingInt(Candidate::slots).thenComparingDouble(c -> -c.utility()));
        return next.map(better ->
                        "Runs on %s: %s would have %s more utility, but other jobs gain more from these slots."
                                .formatted(
                                        shape,
                                        summarize(better.configuration()),
                                        percent(better.utility() / worth - 1)))
                .orElse("Runs on %s.".formatted(shape));
    }

    private static String describe(Configuration configuration, double goodput) {
        return "%s at batch size %d (%s effective samples/s)"
                .formatted(summarize(configuration), configuration.batchSize(), number(goodput));
    }

    private static String summarize(Configuration configuration) {
        String nodes = configuration.nodes() == 1 ? "1 node" : configuration.nodes() + " nodes";
        String aggregation = configuration.strategy() == SyncStrategy.PARAMETER_SERVER
                ? " with %s aggregation %s"
                        .formatted(
                                number(configuration.aggregationSlots()),
                                configuration.aggregationSlots() == 1 ? "slot" : "slots")
                : "";
        return "%d %s on %s%s".formatted(configuration.slots(), configuration.acceleratorType(), nodes, aggregation);
    }

    private static String percent(double share) {
        return Double.isFinite(share) && share < 100 ? String.format(Locale.ROOT, "%.1f %%", share * 100) : "much";
    }

    private static String number(double value) {
        return value == Math.rint(value) && value < 1e15
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.4g", value);
    }
}

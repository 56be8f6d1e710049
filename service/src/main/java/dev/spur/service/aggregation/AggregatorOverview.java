package dev.spur.service.aggregation;

import dev.spur.service.plan.PlannedAggregator;
import dev.spur.service.store.AggregatorCounts;
import dev.spur.service.store.AggregatorCountsStore.AggregatorReport;
import dev.spur.service.store.JobShards;
import dev.spur.service.store.StoredAggregator;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An aggregator with what is expected and what is measured of it. Members as in the contract.
 *
 * @param load share of its time that it is expected to be busy; null if nobody knows
 * @param utilization the same as it was measured; null before
 * @param measuredAt when that was; null before
 * @param shardsByJob what lies on it
 */
record AggregatorOverview(
        String node,
        int number,
        int port,
        double cpus,
        @Nullable Double load,
        @Nullable Double utilization,
        @Nullable Instant measuredAt,
        List<Portion> shardsByJob) {
    AggregatorOverview {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /**
     * What lies on it of a generation of a job.
     *
     * @param load share of an aggregation slot that it keeps busy, as measured; null before
     */
    record Portion(
            String jobId,
            long generation,
            List<Integer> shards,
            @Nullable Double load) {}

    /** The overview of an aggregator of which the plan says {@code planned} and an executor {@code reported}. */
    static AggregatorOverview of(
            StoredAggregator stored, @Nullable PlannedAggregator planned, @Nullable AggregatorReport reported) {
        AggregatorCounts counts = reported == null ? null : reported.counts();
        return new AggregatorOverview(
                stored.node(),
                stored.number(),
                stored.port(),
                stored.cpus(),
                planned == null ? null : planned.load(),
                reported == null ? null : reported.utilization(),
                reported == null ? null : reported.reportedAt().truncatedTo(ChronoUnit.MILLIS),
                stored.all().map(served -> jobShards(served, counts)).toList());
    }

    private static Portion jobShards(JobShards served, @Nullable AggregatorCounts counts) {
        Double load = counts == null
                ? null
                : counts.jobShards(served.jobId(), served.generation())
                        .map(AggregatorCounts.Portion::load)
                        .orElse(null);
        return new Portion(served.jobId(), served.generation(), served.shards(), load);
    }

    /** This with what lies on it of jobs that are {@code shown}. */
    AggregatorOverview only(Predicate<String> shown) {
        return new AggregatorOverview(
                node,
                number,
                port,
                cpus,
                load,
                utilization,
                measuredAt,
                shardsByJob.stream()
                        .filter(jobShards -> shown.test(jobShards.jobId()))
                        .toList());
    }

    /** Share of an aggregation slot that a job keeps busy here, as measured; null before. */
    @Nullable
    Double loadOf(String job) {
        List<Double> loads = shardsByJob.stream()
                .filter(jobShards -> jobShards.jobId().equals(job))
                .map(Portion::load)
                .filter(Objects::nonNull)
                .toList();
        return loads.isEmpty()
                ? null
                : (Double) loads.stream().mapToDouble(Double::doubleValue).sum();
    }
}

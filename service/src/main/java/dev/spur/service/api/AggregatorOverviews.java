package dev.spur.service.api;

import dev.spur.service.jobs.learning.AggregatorCounts;
import dev.spur.service.jobs.learning.AggregatorCountsStore;
import dev.spur.service.jobs.learning.AggregatorCountsStore.AggregatorReport;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.PlannedAggregator;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** All aggregators with predicted and measured load. */
@Component
class AggregatorOverviews {
    private final AggregatorStore aggregators;
    private final AggregatorCountsStore counts;
    private final PlanFeed feed;

    AggregatorOverviews(AggregatorStore aggregators, AggregatorCountsStore counts, PlanFeed feed) {
        this.aggregators = aggregators;
        this.counts = counts;
        this.feed = feed;
    }

    /** An aggregator with predicted and measured load. Members as in the contract. */
    record AggregatorOverview(
            String node,
            int number,
            int port,
            double cpus,
            @Nullable Double load,
            @Nullable Double utilization,
            @Nullable Instant measuredAt,
            List<JobLoad> shardsByJob) {
        AggregatorOverview {
            shardsByJob = List.copyOf(shardsByJob);
        }

        /** Shards of a generation of a job on the aggregator. Members as in the contract. */
        record JobLoad(
                String jobId,
                long generation,
                List<Integer> shards,
                @Nullable Double load) {}

        /** The overview of an aggregator with the planned state {@code planned} and the report {@code reported}. */
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
                    reported == null ? null : reported.reportedAt(),
                    stored.all().map(served -> jobShards(served, counts)).toList());
        }

        private static JobLoad jobShards(JobShards served, @Nullable AggregatorCounts counts) {
            Double load = counts == null
                    ? null
                    : counts.jobShards(served.jobId(), served.generation())
                            .map(AggregatorCounts.JobCounts::load)
                            .orElse(null);
            return new JobLoad(served.jobId(), served.generation(), served.shards(), load);
        }

        /** This overview with the shards of jobs that are {@code shown}. */
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

        /** Measured share of an aggregation slot that a job uses here; null before a measurement. */
        @Nullable
        Double loadOf(String job) {
            List<Double> loads = shardsByJob.stream()
                    .filter(jobShards -> jobShards.jobId().equals(job))
                    .map(JobLoad::load)
                    .filter(Objects::nonNull)
                    .toList();
            return loads.isEmpty()
                    ? null
                    : (Double) loads.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    private record Place(String node, int number) {}

    /** All aggregators, by node and number. */
    List<AggregatorOverview> all() {
        Map<Place, PlannedAggregator> planned = new HashMap<>();
        feed.current()
                .map(PlanDocument::aggregators)
                .orElse(List.of())
                .forEach(one -> planned.put(new Place(one.node(), one.number()), one));
        Map<Place, AggregatorReport> reported = new HashMap<>();
        counts.all()
                .forEach(one -> reported.put(new Place(one.node(), one.counts().number()), one));
        return aggregators.all().stream()
                .map(stored -> {
                    Place place = new Place(stored.node(), stored.number());
                    return AggregatorOverview.of(stored, planned.get(place), reported.get(place));
                })
                .sorted(Comparator.comparing(AggregatorOverview::node).thenComparing(AggregatorOverview::number))
                .toList();
    }
}

package dev.spur.service.api;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.prediction.online.LearnedLoad;
import dev.spur.service.api.AggregationController.JobAggregation.Place;
import dev.spur.service.api.AggregatorOverviews.AggregatorOverview;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.learning.JobAggregationStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.access.AccessScopeStore;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.solver.aggregation.ExpectedAggregationLoad;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Aggregators, and the aggregation of single jobs. */
@RestController
class AggregationController {
    private final AggregatorOverviews overviews;
    private final JobStore jobs;
    private final JobAggregationStore learned;
    private final SnapshotReader snapshots;
    private final AccessScopeStore reaches;

    AggregationController(
            AggregatorOverviews overviews,
            JobStore jobs,
            JobAggregationStore learned,
            SnapshotReader snapshots,
            AccessScopeStore reaches) {
        this.overviews = overviews;
        this.jobs = jobs;
        this.learned = learned;
        this.snapshots = snapshots;
        this.reaches = reaches;
    }

    @GetMapping("/api/v1/aggregators")
    ResponseEntity<Page<AggregatorOverview>> list(
            AccessScope scope, @RequestParam @Nullable String node, PageRequest page) {
        String after = page.after("");
        List<AggregatorOverview> found = within(scope, overviews.all()).stream()
                .filter(one -> ListFilter.matches(node, one.node()))
                .dropWhile(one -> !after.isEmpty() && key(one).compareTo(after) <= 0)
                .limit(page.limit() + 1L)
                .toList();
        return Page.of(found, page.limit(), AggregationController::key).response();
    }

    /** Sort key by node and number: no node name contains a character that sorts before the blank. */
    private static String key(AggregatorOverview aggregator) {
        return "%s %05d".formatted(aggregator.node(), aggregator.number());
    }

    /**
     * Callers confined to tenants see the shards of their jobs only; callers confined to a node see its aggregators
     * only.
     */
    private List<AggregatorOverview> within(AccessScope reach, List<AggregatorOverview> all) {
        List<AggregatorOverview> there = all.stream()
                .filter(one -> reach.node() == null || one.node().equals(reach.node()))
                .toList();
        if (reach.tenants() == null) {
            return there;
        }
        Set<String> ids = there.stream()
                .flatMap(one -> one.shardsByJob().stream())
                .map(AggregatorOverview.JobLoad::jobId)
                .collect(Collectors.toSet());
        Set<String> own = reaches.jobsAmong(reach, ids);
        return there.stream()
                .map(one -> one.only(own::contains))
                .filter(one -> !one.shardsByJob().isEmpty())
                .toList();
    }

    @GetMapping("/api/v1/jobs/{id}/aggregation")
    JobAggregation get(@PathVariable String id) {
        Double stated = jobs.find(id)
                .orElseThrow(() -> ProblemException.notFound("job", id))
                .trainingSpec()
                .synchronization()
                .gradientBytes();
        Optional<JobAggregationStore.LearnedAggregation> known =
                stated == null ? Optional.empty() : learned.find(id).filter(found -> found.statedBytes() == stated);
        LearnedLoad load =
                known.map(JobAggregationStore.LearnedAggregation::learned).orElse(LearnedLoad.NOTHING);
        List<Place> places = overviews.all().stream()
                .map(aggregator -> Place.of(id, aggregator))
                .filter(place -> !place.shards().isEmpty())
                .toList();
        return new JobAggregation(
                id,
                stated,
                stated == null ? null : (Double) (stated * load.factor()),
                load.factor(),
                load.windows(),
                known.map(JobAggregationStore.LearnedAggregation::measuredAt).orElse(null),
                places.isEmpty() ? null : expectedLoad(id),
                measuredLoad(places),
                places,
                known.map(JobAggregationStore.LearnedAggregation::message).orElse(null));
    }

    private @Nullable Double expectedLoad(String id) {
        StateSnapshot now = snapshots.readAlone(id);
        Allocation held = now.problem().jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .map(Job::allocation)
                .orElse(null);
        OptionalDouble load =
                held == null ? OptionalDouble.empty() : new ExpectedAggregationLoad(now.problem()).load(id, held);
        return load.isPresent() ? (Double) load.getAsDouble() : null;
    }

    private static @Nullable Double measuredLoad(List<Place> places) {
        List<Double> loads =
                places.stream().map(Place::load).filter(Objects::nonNull).toList();
        return loads.isEmpty()
                ? null
                : (Double) loads.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Aggregation of a job. Members as in the contract. */
    record JobAggregation(
            String jobId,
            @Nullable Double statedBytes,
            @Nullable Double estimatedBytes,
            double factor,
            long windows,
            @Nullable Instant measuredAt,
            @Nullable Double expectedLoad,
            @Nullable Double measuredLoad,
            List<Place> aggregators,
            @Nullable String message) {
        JobAggregation {
            aggregators = List.copyOf(aggregators);
        }

        /** An aggregator with shards of the job. Members as in the contract. */
        record Place(
                String node,
                int number,
                double cpus,
                List<Integer> shards,
                int others,
                @Nullable Double utilization,
                @Nullable Double load) {
            /** The shards of {@code job} on {@code aggregator}. */
            static Place of(String job, AggregatorOverview aggregator) {
                List<Integer> shards = aggregator.shardsByJob().stream()
                        .filter(jobShards -> jobShards.jobId().equals(job))
                        .flatMap(jobShards -> jobShards.shards().stream())
                        .distinct()
                        .sorted()
                        .toList();
                long others = aggregator.shardsByJob().stream()
                        .map(AggregatorOverview.JobLoad::jobId)
                        .filter(id -> !id.equals(job))
                        .distinct()
                        .count();
                return new Place(
                        aggregator.node(),
                        aggregator.number(),
                        aggregator.cpus(),
                        shards,
                        (int) others,
                        aggregator.utilization(),
                        aggregator.loadOf(job));
            }
        }
    }
}

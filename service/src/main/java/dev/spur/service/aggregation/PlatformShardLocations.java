package dev.spur.service.aggregation;

import dev.spur.connectors.reconcile.AggregatorLedger.Place;
import dev.spur.service.store.AggregatorStore;
import dev.spur.service.store.JobShards;
import dev.spur.service.store.PlatformAggregatorStore;
import dev.spur.service.store.PlatformRunStore;
import dev.spur.service.store.PlatformRunStore.Run;
import dev.spur.service.store.StoredAggregator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Which gradients are summed where, of jobs that a platform runs. Plans speak of generations of jobs, and a platform
 * starts the processes of a job anew without asking: so aggregators and workers of such jobs go by runs, which are
 * counted as they are seen.
 */
@Component
class PlatformShardLocations {
    private static final String REDUCES = "ALL_REDUCE";

    private final AggregatorStore planned;
    private final PlatformAggregatorStore aggregators;
    private final PlatformRunStore runs;

    PlatformShardLocations(AggregatorStore planned, PlatformAggregatorStore aggregators, PlatformRunStore runs) {
        this.planned = planned;
        this.aggregators = aggregators;
        this.runs = runs;
    }

    /**
     * What an aggregator is to sum. Members as in the contract.
     *
     * @param shardsByJob by job; the generation of each is the number of its run
     */
    record Content(List<JobShards> shardsByJob) {}

    /**
     * Where the gradients of a run are summed. Members as in the contract.
     *
     * @param strategy how they are combined; null while nobody knows
     * @param generation the number of the run; null while that is not known
     * @param workers how many send
     * @param shards how many shards there are
     * @param aggregators where they are now; a shard that is nowhere has no place yet
     */
    record ShardLocations(
            @Nullable String jobId,
            @Nullable String strategy,
            @Nullable Long generation,
            int workers,
            int shards,
            List<AggregatorLocation> aggregators) {
        static final ShardLocations UNKNOWN = new ShardLocations(null, null, null, 0, 0, List.of());
    }

    /** An aggregator that sums. */
    record AggregatorLocation(String node, int number, String address, int port, List<Integer> shards) {}

    /** What the aggregator with a key is to sum; empty if there is none, or none any more. */
    Optional<Content> content(String key) {
        return aggregators.called(key).map(want -> {
            List<StoredAggregator> all = planned.all();
            List<JobShards> shardsByJob = new ArrayList<>();
            for (Run run : runs.current()) {
                all.stream()
                        .filter(one -> one.node().equals(want.node()) && one.number() == want.number())
                        .flatMap(one -> lying(run, one, all))
                        .map(jobShards -> new JobShards(run.jobId(), run.number(), run.workers(), jobShards.shards()))
                        .forEach(shardsByJob::add);
            }
            return new Content(shardsByJob);
        });
    }

    /** Where the run sums that its processes call so; empty if no job has the key. */
    Optional<ShardLocations> places(String key, String run) {
        Optional<Run> found = runs.find(key, run);
        if (found.isEmpty()) {
            return runs.isKey(key) ? Optional.of(ShardLocations.UNKNOWN) : Optional.empty();
        }
        return found.map(this::places);
    }

    private ShardLocations places(Run run) {
        Map<String, Place> ready = new HashMap<>();
        aggregators.all().stream()
                .filter(PlatformAggregatorStore.Row::isReady)
                .forEach(row -> ready.put(
                        name(
                                row.line().want().node(),
                                row.line().want().number(),
                                row.line().want().port()),
                        row.line().place().orElseThrow()));
        List<StoredAggregator> all = planned.all();
        List<AggregatorLocation> summing = new ArrayList<>();
        int shards = 0;
        for (StoredAggregator one : all) {
            for (JobShards jobShards : lying(run, one, all).toList()) {
                shards += jobShards.shards().size();
                Place place = ready.get(name(one.node(), one.number(), one.port()));
                if (place != null) {
                    summing.add(new AggregatorLocation(
                            one.node(), one.number(), place.host(), place.port(), jobShards.shards()));
                }
            }
        }
        String strategy = shards > 0
                ? "PARAMETER_SERVER"
                : runs.strategy(run.jobId()).filter(REDUCES::equals).orElse(null);
        return new ShardLocations(run.jobId(), strategy, run.number(), run.workers(), shards, summing);
    }

    private static String name(String node, int number, int port) {
        return "%s/%d:%d".formatted(node, number, port);
    }

    /**
     * What lies on {@code one} for a run: by the generation with which it began, as long as that lies anywhere,
     * otherwise by the plan.
     */
    private static Stream<JobShards> lying(Run run, StoredAggregator one, List<StoredAggregator> all) {
        boolean began = all.stream().flatMap(StoredAggregator::all).anyMatch(jobShards -> isOf(run, jobShards));
        return began
                ? one.all().filter(jobShards -> isOf(run, jobShards))
                : one.shardsByJob().stream()
                        .filter(jobShards -> jobShards.jobId().equals(run.jobId()));
    }

    private static boolean isOf(Run run, JobShards jobShards) {
        return jobShards.jobId().equals(run.jobId()) && jobShards.generation() == run.generation();
    }
}

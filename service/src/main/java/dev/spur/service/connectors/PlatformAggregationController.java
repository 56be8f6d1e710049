package dev.spur.service.connectors;

import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.reconcile.AggregatorLedger.Place;
import dev.spur.service.connectors.PlatformRunStore.Run;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import dev.spur.service.web.contract.ProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Routes for aggregators and training code on external platforms, without a token. The key in the path authorizes the
 * request. Plans refer to generations of jobs, but a platform may restart the processes of a job at any time.
 * Aggregators and workers of such jobs therefore use runs, which are numbered as they are observed.
 */
@RestController
@RequestMapping("/keyed/aggregation")
class PlatformAggregationController {
    private static final String REDUCES = "ALL_REDUCE";

    private final AggregatorStore planned;
    private final PlatformAggregatorStore aggregators;
    private final PlatformRunStore runs;

    PlatformAggregationController(AggregatorStore planned, PlatformAggregatorStore aggregators, PlatformRunStore runs) {
        this.planned = planned;
        this.aggregators = aggregators;
        this.runs = runs;
    }

    /**
     * Shards that an aggregator must sum. Members as in the contract.
     *
     * @param shardsByJob by job; the generation of each is the number of its run
     */
    record Content(List<JobShards> shardsByJob) {}

    /** Shard locations of a run. Members as in the contract. */
    record ShardLocations(
            @Nullable String jobId,
            @Nullable String strategy,
            @Nullable Long generation,
            int workers,
            int shards,
            List<AggregatorLocation> aggregators) {
        static final ShardLocations UNKNOWN = new ShardLocations(null, null, null, 0, 0, List.of());
    }

    /** An aggregator that sums shards. */
    record AggregatorLocation(String node, int number, String address, int port, List<Integer> shards) {}

    @GetMapping("/{key}/content")
    Content content(@PathVariable String key) {
        DesiredAggregator want = aggregators
                .request(key)
                .orElseThrow(() -> ProblemException.notFound("aggregator with this key", "of the path"));
        List<StoredAggregator> all = planned.all();
        List<JobShards> shardsByJob = new ArrayList<>();
        for (Run run : runs.current()) {
            all.stream()
                    .filter(one -> one.node().equals(want.node()) && one.number() == want.number())
                    .flatMap(one -> shardsOn(run, one, all))
                    .map(jobShards -> new JobShards(run.jobId(), run.number(), run.workers(), jobShards.shards()))
                    .forEach(shardsByJob::add);
        }
        return new Content(shardsByJob);
    }

    @GetMapping("/{key}/shard-locations")
    ShardLocations places(@PathVariable String key, @RequestParam String run) {
        Optional<Run> found = runs.find(key, run);
        if (found.isEmpty() && !runs.isKey(key)) {
            throw ProblemException.notFound("job with this key", "of the path");
        }
        return found.map(this::places).orElse(ShardLocations.UNKNOWN);
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
        List<AggregatorLocation> locations = new ArrayList<>();
        int shards = 0;
        for (StoredAggregator one : all) {
            for (JobShards jobShards : shardsOn(run, one, all).toList()) {
                shards += jobShards.shards().size();
                Place place = ready.get(name(one.node(), one.number(), one.port()));
                if (place != null) {
                    locations.add(new AggregatorLocation(
                            one.node(), one.number(), place.host(), place.port(), jobShards.shards()));
                }
            }
        }
        String strategy = shards > 0
                ? "PARAMETER_SERVER"
                : runs.strategy(run.jobId()).filter(REDUCES::equals).orElse(null);
        return new ShardLocations(run.jobId(), strategy, run.number(), run.workers(), shards, locations);
    }

    private static String name(String node, int number, int port) {
        return "%s/%d:%d".formatted(node, number, port);
    }

    /**
     * Shards of a run on {@code one}: of the generation with which it began, as long as these exist, otherwise by the
     * plan.
     */
    private static Stream<JobShards> shardsOn(Run run, StoredAggregator one, List<StoredAggregator> all) {
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

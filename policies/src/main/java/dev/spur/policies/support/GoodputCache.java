package dev.spur.policies.support;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.ClusterIndex;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Goodput and configurations of jobs at the batch sizes of one rule, each computed once. */
final class GoodputCache {
    private final BatchRule batches;
    private final ClusterIndex hardware;
    private final IdentityHashMap<JobSpec, Map<Long, Double>> known = new IdentityHashMap<>();

    private final IdentityHashMap<JobSpec, int[][]> counts = new IdentityHashMap<>();

    GoodputCache(BatchRule batches, ClusterIndex hardware) {
        this.batches = batches;
        this.hardware = hardware;
    }

    /** Slot counts that the job allows on {@code lane} and on which it runs, ascending; not to be changed. */
    int[] counts(JobSpec spec, NodePartition lane) {
        int[][] byLane = counts.computeIfAbsent(spec, s -> new int[0][]);
        if (byLane.length <= lane.index()) {
            byLane = Arrays.copyOf(byLane, lane.index() + 1);
            counts.put(spec, byLane);
        }
        int[] own = byLane[lane.index()];
        if (own == null) {
            own = Arrays.stream(spec.elasticity().counts(lane.slots()))
                    .filter(slots -> goodput(spec, lane, slots) > 0)
                    .toArray();
            byLane[lane.index()] = own;
        }
        return own;
    }

    /** Goodput on {@code slots} of {@code lane}, on the fewest nodes; 0 if the job does not run so. */
    double goodput(JobSpec spec, NodePartition lane, int slots) {
        return known.computeIfAbsent(spec, s -> new HashMap<>())
                .computeIfAbsent((long) lane.index() << 32 | slots, key -> fresh(spec, lane, slots));
    }

    private double fresh(JobSpec spec, NodePartition lane, int slots) {
        Configuration configuration = configuration(spec, lane, RoundView.tightShape(lane, slots), 0);
        return configuration == null ? 0 : Goodput.of(spec, configuration);
    }

    /**
     * The configuration with these pieces; null if the job does not run so.
     *
     * @param aggregation aggregation slots; 0 for AllReduce where it is allowed and the devices can do it, and for the
     *     fewest where it is not
     */
    @Nullable
    Configuration configuration(JobSpec spec, NodePartition lane, List<Integer> shape, double aggregation) {
        Synchronization allowed = spec.synchronization();
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        boolean reduces =
                aggregation == 0 && allowed.allReduce() && hardware.canSum(lane.type(), SyncStrategy.ALL_REDUCE, slots);
        SyncStrategy strategy = reduces ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER;
        double servers = strategy == SyncStrategy.ALL_REDUCE || aggregation > 0
                ? aggregation
                : fewestAggregationSlots(spec, lane.type());
        if (!allowed.allows(strategy, servers) || !spec.elasticity().allowsNodes(shape.size())) {
            return null;
        }
        OptionalInt batch = batches.batch(spec, lane.type(), slots, shape.size(), strategy, servers);
        if (batch.isEmpty()) {
            return null;
        }
        int accumulation = spec.batch().accumulationSteps(batch.getAsInt(), lane.type(), slots);
        Configuration configuration =
                new Configuration(lane.pool(), lane.type(), shape, strategy, servers, batch.getAsInt(), accumulation);
        return Goodput.of(spec, configuration) > 0 ? configuration : null;
    }

    static double fewestAggregationSlots(JobSpec spec, String type) {
        double least = spec.synchronization().minAggregationSlots();
        double[] measured = spec.profile().aggregationSlots(type);
        if (least > 0 || measured.length == 0) {
            return least;
        }
        return Math.min(measured[0], spec.synchronization().maxAggregationSlots());
    }
}

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

/** Cache of goodput and configurations of jobs at the batch sizes of one rule. */
final class GoodputCache {
    private final BatchRule batches;
    private final ClusterIndex clusterIndex;
    private final IdentityHashMap<JobSpec, Map<Long, Double>> known = new IdentityHashMap<>();

    private final IdentityHashMap<JobSpec, int[][]> counts = new IdentityHashMap<>();

    GoodputCache(BatchRule batches, ClusterIndex clusterIndex) {
        this.batches = batches;
        this.clusterIndex = clusterIndex;
    }

    /**
     * Returns the slot counts that the job allows on {@code partition} and on which it runs, ascending. The array is
     * shared: do not modify it.
     */
    int[] counts(JobSpec spec, NodePartition partition) {
        int[][] byPartition = counts.computeIfAbsent(spec, s -> new int[0][]);
        if (byPartition.length <= partition.index()) {
            byPartition = Arrays.copyOf(byPartition, partition.index() + 1);
            counts.put(spec, byPartition);
        }
        int[] own = byPartition[partition.index()];
        if (own == null) {
            own = Arrays.stream(spec.elasticity().counts(partition.slots()))
                    .filter(slots -> goodput(spec, partition, slots) > 0)
                    .toArray();
            byPartition[partition.index()] = own;
        }
        return own;
    }

    /**
     * Returns goodput on {@code slots} of {@code partition}, on as few nodes as possible; 0 if the job cannot run
     * there.
     */
    double goodput(JobSpec spec, NodePartition partition, int slots) {
        return known.computeIfAbsent(spec, s -> new HashMap<>())
                .computeIfAbsent((long) partition.index() << 32 | slots, key -> fresh(spec, partition, slots));
    }

    private double fresh(JobSpec spec, NodePartition partition, int slots) {
        Configuration configuration = configuration(spec, partition, RoundView.tightShape(partition, slots), 0);
        return configuration == null ? 0 : Goodput.of(spec, configuration);
    }

    /**
     * Returns the configuration with this shape; null if the job cannot run in it.
     *
     * @param aggregation aggregation slots; 0 selects AllReduce where job and devices allow it, otherwise the minimum
     *     number of aggregation slots
     */
    @Nullable
    Configuration configuration(JobSpec spec, NodePartition partition, List<Integer> shape, double aggregation) {
        Synchronization allowed = spec.synchronization();
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        boolean reduces = aggregation == 0
                && allowed.allReduce()
                && clusterIndex.canSum(partition.type(), SyncStrategy.ALL_REDUCE, slots);
        SyncStrategy strategy = reduces ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER;
        double servers = strategy == SyncStrategy.ALL_REDUCE || aggregation > 0
                ? aggregation
                : minAggregationSlots(spec, partition.type());
        if (!allowed.allows(strategy, servers) || !spec.elasticity().allowsNodes(shape.size())) {
            return null;
        }
        OptionalInt batch = batches.batch(spec, partition.type(), slots, shape.size(), strategy, servers);
        if (batch.isEmpty()) {
            return null;
        }
        int accumulation = spec.batch().accumulationSteps(batch.getAsInt(), partition.type(), slots);
        Configuration configuration = new Configuration(
                partition.pool(), partition.type(), shape, strategy, servers, batch.getAsInt(), accumulation);
        return Goodput.of(spec, configuration) > 0 ? configuration : null;
    }

    static double minAggregationSlots(JobSpec spec, String type) {
        double min = spec.synchronization().minAggregationSlots();
        double[] measured = spec.profile().aggregationSlots(type);
        if (min > 0 || measured.length == 0) {
            return min;
        }
        return Math.min(measured[0], spec.synchronization().maxAggregationSlots());
    }
}

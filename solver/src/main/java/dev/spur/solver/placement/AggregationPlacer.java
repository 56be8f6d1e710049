package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Placement of aggregation slots on the nodes of each job's pool. Shares keep their nodes where possible. A new demand
 * goes to the fullest node that holds it, or else to the emptiest nodes in turn. Aggregation moves without a restart.
 */
final class AggregationPlacer {
    private final ClusterIndex clusterIndex;
    private final long[] left;
    /** By pool: nodes that offer aggregation; their free capacity only decreases. */
    private final Map<String, int[]> openNodes = new HashMap<>();

    private AggregationPlacer(ClusterIndex clusterIndex) {
        this.clusterIndex = clusterIndex;
        this.left = clusterIndex.nodes().stream()
                .mapToLong(node -> Math.round(node.aggregationSlots() * 1000))
                .toArray();
    }

    /** Returns the shares of every job with aggregation, by index of the job. */
    static Map<Integer, List<AggregationShare>> place(CandidateSet candidates, Map<Integer, Allocation> allocations) {
        AggregationPlacer placer = new AggregationPlacer(candidates.clusterIndex());
        Map<Integer, List<AggregationShare>> shares = new HashMap<>();
        for (boolean pinned : new boolean[] {true, false}) {
            allocations.forEach((j, allocation) -> {
                if (candidates.isPinned(j) == pinned && placer.staysPut(allocation, pinned)) {
                    shares.put(j, allocation.aggregation());
                    allocation.aggregation().forEach(placer::take);
                }
            });
        }
        allocations.forEach((j, allocation) -> {
            long needed = allocation.configuration().aggregationThousandths();
            if (needed > 0 && !shares.containsKey(j)) {
                shares.put(j, placer.spread(allocation.configuration().pool(), needed));
            }
        });
        return shares;
    }

    /**
     * Returns whether the allocation has complete previous shares that still fit on nodes with aggregation, or that
     * must not move.
     */
    private boolean staysPut(Allocation allocation, boolean pinned) {
        long sum = allocation.aggregation().stream()
                .mapToLong(AggregationShare::thousandths)
                .sum();
        return sum > 0
                && sum == allocation.configuration().aggregationThousandths()
                && (pinned || allocation.aggregation().stream().allMatch(this::stillFits));
    }

    private boolean stillFits(AggregationShare share) {
        return clusterIndex.offersAggregation(node(share))
                && left[clusterIndex.indexOf(share.node())] >= share.thousandths();
    }

    private Node node(AggregationShare share) {
        return clusterIndex.nodes().get(clusterIndex.indexOf(share.node()));
    }

    private void take(AggregationShare share) {
        left[clusterIndex.indexOf(share.node())] -= share.thousandths();
    }

    private List<AggregationShare> spread(String pool, long needed) {
        int[] open = openNodes.computeIfAbsent(pool, this::nodesThatOffer);
        int fullest = -1;
        for (int v : open) {
            if (left[v] >= needed && (fullest < 0 || left[v] < left[fullest])) {
                fullest = v;
            }
        }
        int[] order = fullest >= 0
                ? new int[] {fullest}
                : Arrays.stream(open)
                        .boxed()
                        .sorted(Comparator.comparingLong((Integer v) -> left[v]).reversed())
                        .mapToInt(Integer::intValue)
                        .toArray();
        List<AggregationShare> shares = new ArrayList<>();
        long missing = needed;
        for (int v : order) {
            long part = Math.min(missing, left[v]);
            if (part > 0) {
                left[v] -= part;
                missing -= part;
                shares.add(new AggregationShare(clusterIndex.nodes().get(v).id(), part / 1000.0));
            }
        }
        return shares;
    }

    private int[] nodesThatOffer(String pool) {
        return IntStream.range(0, left.length)
                .filter(v -> left[v] > 0)
                .filter(v -> clusterIndex.nodes().get(v).pool().equals(pool))
                .filter(v -> clusterIndex.offersAggregation(clusterIndex.nodes().get(v)))
                .toArray();
    }
}

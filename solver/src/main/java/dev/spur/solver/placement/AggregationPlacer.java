package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
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
 * Placement of aggregation slots on the nodes of each job's pool, on CPUs that the placed jobs leave. Shares keep their
 * nodes where possible. A new demand goes to the fullest node that holds it, or else to the emptiest nodes in turn.
 * Aggregation moves without a restart.
 */
final class AggregationPlacer {
    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    /** By node: thousandths for the shares of jobs that may move. */
    private final long[] left;
    /** By pool: nodes with CPUs for aggregation, which only decrease. */
    private final Map<String, int[]> openNodes = new HashMap<>();

    private final List<Integer> unplaced = new ArrayList<>();

    /** @param remainingCluster free CPUs next to the slots of all jobs and the aggregators of pinned ones */
    AggregationPlacer(CandidateSet candidates, ResidualCluster remainingCluster) {
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.left = IntStream.range(0, clusterIndex.nodes().size())
                .mapToLong(v -> HostUnits.thousandths(remainingCluster.aggregatorCpuUnitsOn(v)))
                .toArray();
    }

    /** Returns the shares of every job with aggregation, by index of the job. */
    Map<Integer, List<AggregationShare>> place(Map<Integer, Allocation> allocations) {
        Map<Integer, List<AggregationShare>> shares = new HashMap<>();
        allocations.forEach((j, allocation) -> {
            if (isComplete(allocation) && staysPut(j, allocation)) {
                shares.put(j, allocation.aggregation());
            }
        });
        allocations.forEach((j, allocation) -> {
            long needed = allocation.configuration().aggregationThousandths();
            if (needed > 0 && !shares.containsKey(j)) {
                List<AggregationShare> own = spread(allocation.configuration().pool(), needed);
                shares.put(j, own);
                if (thousandths(own) < needed) {
                    unplaced.add(j);
                }
            }
        });
        return shares;
    }

    /** Returns the jobs for whose aggregation the nodes have too few CPUs. */
    List<Integer> unplaced() {
        return unplaced;
    }

    private static boolean isComplete(Allocation allocation) {
        return !allocation.aggregation().isEmpty()
                && thousandths(allocation.aggregation())
                        == allocation.configuration().aggregationThousandths();
    }

    private static long thousandths(List<AggregationShare> shares) {
        return shares.stream().mapToLong(AggregationShare::thousandths).sum();
    }

    /** Returns whether the shares of a job stay on their nodes; takes them if the job is not pinned. */
    private boolean staysPut(int j, Allocation allocation) {
        if (candidates.isPinned(j)) {
            return true;
        }
        boolean fits = allocation.aggregation().stream().allMatch(this::stillFits);
        if (fits) {
            allocation.aggregation().forEach(this::take);
        }
        return fits;
    }

    private boolean stillFits(AggregationShare share) {
        return left[clusterIndex.indexOf(share.node())] >= share.thousandths();
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
                .toArray();
    }
}

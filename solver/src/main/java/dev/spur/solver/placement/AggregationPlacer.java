package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Placement of aggregation slots on the nodes of each job's pool, on CPUs that the placed jobs leave. Shares keep their
 * nodes where possible. A new demand goes to the node on which it takes the smallest number of further CPUs, or else to
 * several nodes. Aggregation moves without a restart.
 */
final class AggregationPlacer {
    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    private final AggregatorNode[] nodes;
    private final Map<Integer, List<AggregationShare>> shares = new HashMap<>();
    private final List<Integer> unplaced = new ArrayList<>();

    /** @param remainingCluster free CPUs next to the slots of all jobs and the aggregators of pinned ones */
    AggregationPlacer(CandidateSet candidates, ResidualCluster remainingCluster) {
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.nodes = IntStream.range(0, clusterIndex.nodes().size())
                .mapToObj(v -> new AggregatorNode(HostUnits.thousandths(remainingCluster.aggregatorCpuUnitsOn(v))))
                .toArray(AggregatorNode[]::new);
    }

    /** Returns the shares of every job with aggregation, by index of the job. */
    Map<Integer, List<AggregationShare>> place(Map<Integer, Allocation> allocations) {
        for (boolean pinned : new boolean[] {true, false}) {
            allocations.forEach((j, allocation) -> {
                if (candidates.isPinned(j) == pinned && isComplete(allocation)) {
                    stay(j, allocation, demand(allocations, j));
                }
            });
        }
        Map<String, List<Integer>> moving = new HashMap<>();
        for (int j : waiting(allocations)) {
            String pool = pool(allocations, j);
            AggregatorDemand demand = demand(allocations, j);
            if (!moving.containsKey(pool) && !spread(j, pool, demand)) {
                moving.put(pool, release(pool, allocations));
            }
            List<Integer> ofPool = moving.get(pool);
            if (ofPool != null && demand.shares()) {
                ofPool.add(j);
            } else if (!shares.containsKey(j) && !spread(j, pool, demand)) {
                unplaced.add(j);
            }
        }
        moving.forEach((pool, jobs) -> spreadEvenly(pool, jobs, allocations));
        unplaced.forEach(shares::remove);
        return shares;
    }

    /** Returns the jobs without shares: those that do not share first, and those with many slots first. */
    private List<Integer> waiting(Map<Integer, Allocation> allocations) {
        return allocations.keySet().stream()
                .filter(j -> demand(allocations, j).slots() > 0 && !shares.containsKey(j))
                .sorted(Comparator.comparing(
                                (Integer j) -> demand(allocations, j).shares())
                        .thenComparing(Comparator.comparingLong(
                                        (Integer j) -> demand(allocations, j).slots())
                                .reversed())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Returns the jobs for whose aggregation the nodes have too few CPUs. */
    List<Integer> jobsWithoutPlace() {
        return unplaced;
    }

    private AggregatorDemand demand(Map<Integer, Allocation> allocations, int j) {
        Allocation allocation = Objects.requireNonNull(allocations.get(j));
        return candidates.isPinned(j)
                ? candidates.aggregators(j, allocation)
                : AggregatorDemand.of(
                        candidates.job(j).spec(),
                        allocation.configuration(),
                        candidates.problem().settings().aggregation());
    }

    private static String pool(Map<Integer, Allocation> allocations, int j) {
        return Objects.requireNonNull(allocations.get(j)).configuration().pool();
    }

    private static boolean isComplete(Allocation allocation) {
        return !allocation.aggregation().isEmpty()
                && allocation.aggregation().stream()
                                .mapToLong(AggregationShare::thousandths)
                                .sum()
                        == allocation.configuration().aggregationThousandths();
    }

    /** Leaves the shares of a job on their nodes if they fit there, and those of a pinned job in any case. */
    private void stay(int j, Allocation allocation, AggregatorDemand demand) {
        boolean isPinned = candidates.isPinned(j);
        boolean fits = allocation.aggregation().stream()
                .allMatch(share -> nodes[clusterIndex.indexOf(share.node())].holds(demand, share.thousandths()));
        if (isPinned || fits) {
            shares.put(j, allocation.aggregation());
        }
        // The CPUs of a pinned job that does not share are not among those of the nodes.
        if (isPinned ? demand.shares() : fits) {
            allocation
                    .aggregation()
                    .forEach(share -> nodes[clusterIndex.indexOf(share.node())].add(demand, share.thousandths()));
        }
    }

    private boolean spread(int j, String pool, AggregatorDemand demand) {
        int best = -1;
        int[] open = nodesOf(pool);
        for (int v : open) {
            if (nodes[v].holds(demand, demand.slots()) && (best < 0 || isBetter(v, best, demand))) {
                best = v;
            }
        }
        Map<Integer, Long> parts = new LinkedHashMap<>();
        long missing = demand.slots();
        int[] order = best >= 0 ? new int[] {best} : emptiestFirst(open);
        for (int v : order) {
            long part = Math.min(missing, nodes[v].most(demand));
            if (part > 0) {
                parts.put(v, part);
                missing -= part;
            }
        }
        if (missing == 0) {
            put(j, demand, parts);
        }
        return missing == 0;
    }

    private boolean isBetter(int v, int best, AggregatorDemand demand) {
        long own = nodes[v].growth(demand, demand.slots());
        long other = nodes[best].growth(demand, demand.slots());
        return own != other ? own < other : nodes[v].free() < nodes[best].free();
    }

    private int[] emptiestFirst(int[] open) {
        return Arrays.stream(open)
                .boxed()
                .sorted(Comparator.comparingLong((Integer v) -> -nodes[v].free()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private int[] nodesOf(String pool) {
        return IntStream.range(0, nodes.length)
                .filter(v -> nodes[v].cpus() > 0)
                .filter(v -> clusterIndex.nodes().get(v).pool().equals(pool))
                .toArray();
    }

    private void put(int j, AggregatorDemand demand, Map<Integer, Long> parts) {
        List<AggregationShare> own = new ArrayList<>();
        parts.forEach((v, part) -> {
            nodes[v].add(demand, part);
            own.add(new AggregationShare(clusterIndex.nodes().get(v).id(), part / 1000.0));
        });
        shares.put(j, own);
    }

    /** Takes the shares of the jobs of a pool that share and are not pinned. Returns these jobs. */
    private List<Integer> release(String pool, Map<Integer, Allocation> allocations) {
        List<Integer> released = new ArrayList<>();
        allocations.forEach((j, allocation) -> {
            boolean moves = shares.containsKey(j)
                    && !candidates.isPinned(j)
                    && allocation.configuration().pool().equals(pool)
                    && demand(allocations, j).shares();
            if (moves) {
                AggregatorDemand demand = demand(allocations, j);
                Objects.requireNonNull(shares.remove(j))
                        .forEach(
                                share -> nodes[clusterIndex.indexOf(share.node())].remove(demand, share.thousandths()));
                released.add(j);
            }
        });
        return released;
    }

    /**
     * Spreads {@code jobs}, which share, over all nodes of their pool in proportion to their CPUs. Where the sum over
     * the pool suffices, it suffices on each node then.
     */
    private void spreadEvenly(String pool, List<Integer> jobs, Map<Integer, Allocation> allocations) {
        int[] open = nodesOf(pool);
        long[] free =
                Arrays.stream(open).mapToLong(v -> nodes[v].freeForShared()).toArray();
        long all = Arrays.stream(free).sum();
        for (int j : jobs) {
            AggregatorDemand demand = demand(allocations, j);
            Map<Integer, Long> parts = new LinkedHashMap<>();
            long missing = demand.slots();
            long freeBehind = all;
            for (int i = 0; i < open.length && missing > 0; i++) {
                long part = freeBehind == 0 ? 0 : Math.min(missing, (missing * free[i] + freeBehind - 1) / freeBehind);
                freeBehind -= free[i];
                missing -= part;
                if (part > 0) {
                    parts.put(open[i], part);
                }
            }
            if (missing > 0) {
                unplaced.add(j);
            } else {
                put(j, demand, parts);
            }
        }
    }
}

package dev.spur.solver.relaxation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.placement.AggregatorNeed;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.resource.ResourceKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Rows of aggregation, for each pool with demand: effective bandwidths <= limits of the nodes, and where jobs may take
 * CPUs from aggregators, the CPUs of both <= those of the nodes that offer aggregation.
 */
final class AggregationRows {
    /** Nodes of a class. */
    private record Place(int nodeClass, NodeAccess access) {}

    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    private final ResidualCapacity movableCapacity;
    /** Whether all nodes of a place offer aggregation. */
    private final Map<Place, Boolean> haveAggregation = new HashMap<>();

    private final Map<String, Integer> slotRow = new HashMap<>();
    private final Map<String, Integer> cpuRow = new HashMap<>();

    AggregationRows(CandidateSet candidates, ConstraintList constraints) {
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.movableCapacity = ResidualCapacity.withoutPinned(candidates);
        Set<String> pools = new LinkedHashSet<>();
        for (int c = 0; c < candidates.size(); c++) {
            if (candidates.get(c).configuration().aggregationThousandths() > 0) {
                pools.add(candidates.get(c).configuration().pool());
            }
        }
        for (String pool : pools) {
            slotRow.put(pool, constraints.add(new ResourceKey.Aggregation(pool), aggregation(pool)));
            if (cpusAreShared(pool)) {
                cpuRow.put(pool, constraints.add(new ResourceKey.PoolCpus(pool), cpus(pool)));
            }
        }
    }

    /** Returns the aggregation slots that pinned jobs leave. */
    private double aggregation(String pool) {
        AggregatorNeed need = movableCapacity.aggregatorNeed(pool);
        double cpus = HostUnits.amount(movableCapacity.aggregatorCpuUnits(pool));
        return Math.max(0, cpus - (need.ofJobsAlone() + need.bandwidth()) / 1000.0);
    }

    /** Returns whether some slot of a job takes CPUs of a node of the pool that offers aggregation. */
    private boolean cpusAreShared(String pool) {
        return IntStream.range(0, candidates.size())
                .mapToObj(candidates::get)
                .anyMatch(candidate -> candidate.configuration().pool().equals(pool)
                        && candidates.host(candidate).cpusPerSlot() > 0
                        && slotsNextToAggregators(candidate) > 0);
    }

    /** Returns the CPUs that pinned jobs leave on the nodes of {@code pool} that offer aggregation. */
    private double cpus(String pool) {
        return IntStream.range(0, clusterIndex.nodes().size())
                        .filter(v -> clusterIndex.nodes().get(v).pool().equals(pool) && clusterIndex.hasAggregation(v))
                        .mapToDouble(movableCapacity.cluster()::cpus)
                        .sum()
                - movableCapacity.aggregatorNeed(pool).bandwidth() / 1000.0;
    }

    /** Returns the slots that {@code candidate} takes at least on nodes that offer aggregation. */
    private int slotsNextToAggregators(Candidate candidate) {
        Allocation heldAllocation = candidates.job(candidate.job()).allocation();
        if (candidate.isRetained()) {
            List<NodeShare> nodeShares = heldAllocation == null ? List.of() : heldAllocation.placement();
            return nodeShares.stream()
                    .filter(share -> clusterIndex.hasAggregation(clusterIndex.indexOf(share.node())))
                    .mapToInt(NodeShare::slots)
                    .sum();
        }
        Place place = new Place(candidate.nodeClass(), candidate.access());
        return haveAggregation.computeIfAbsent(place, this::haveAggregation) ? candidate.slots() : 0;
    }

    private boolean haveAggregation(Place place) {
        return clusterIndex.classes().get(place.nodeClass()).nodes().stream()
                .filter(v -> place.access().contains(v))
                .allMatch(clusterIndex::hasAggregation);
    }

    /** Adds the use of the rows by {@code candidate} of a job that is not pinned. */
    void addEntries(Candidate candidate, HostDemand demand, SparseMatrixBuilder matrix) {
        if (slotRow.isEmpty()) {
            return;
        }
        String pool = candidate.configuration().pool();
        double aggregation = candidates.aggregators(candidate).cpus() / 1000.0;
        Integer slots = slotRow.get(pool);
        if (slots != null) {
            matrix.add(slots, aggregation);
        }
        Integer cpus = cpuRow.get(pool);
        if (cpus != null) {
            double own = demand.cpusPerSlot() == 0 ? 0 : demand.cpusPerSlot() * slotsNextToAggregators(candidate);
            matrix.add(cpus, aggregation + own);
        }
    }
}

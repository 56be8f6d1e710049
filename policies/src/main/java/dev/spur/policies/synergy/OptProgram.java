package dev.spur.policies.synergy;

import dev.spur.model.cluster.Node;
import dev.spur.model.performance.HostLevel;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * First program of Synergy-OPT, over the cluster as one node for each pool and type:
 *
 * <pre>
 * maximize  sum over jobs j and levels l of speed(j, l) * y(j, l);   y is 0 or 1, one level for each job
 * sum of slots(j) * cpus(l) * y(j, l) &lt;= CPUs,   the same for memory,   speed(j, l) &gt;= that of the floor of j
 * </pre>
 *
 * Jobs without a level within their share get their stated demand first. Source: Mohan et al., OSDI '22. The solution
 * need not fit node by node; it is an upper bound for every allocation.
 */
final class OptProgram {
    private static final double GAP = 1e-4;

    private record Offer(int job, HostLevel level, int variable) {}

    private final SlotAllocations allocations;
    private final HostRequests hostRequests;
    private final LinearProgram program = new LinearProgram();
    private final List<Offer> offers = new ArrayList<>();

    OptProgram(SlotAllocations allocations, HostRequests hostRequests) {
        this.allocations = allocations;
        this.hostRequests = hostRequests;
        RoundView view = allocations.view();
        for (NodePartition partition : view.partitions()) {
            state(view, partition);
        }
    }

    private void state(RoundView view, NodePartition partition) {
        double[] capacity = capacity(view, partition);
        List<Integer> own = new ArrayList<>();
        for (int j = 0; j < view.jobs(); j++) {
            if (allocations.slots(j) > 0 && partition.equals(allocations.partition(j))) {
                own.add(j);
            }
        }
        for (int j : own) {
            HostRequest request = hostRequests.of(j, partition.pool(), partition.type());
            if (!request.isGuaranteed()) {
                capacity[0] -= allocations.slots(j) * request.floorLevel().cpusPerSlot();
                capacity[1] -= allocations.slots(j) * request.floorLevel().memoryGiBPerSlot();
            }
        }
        // scaled by capacity, because the solver compares with an absolute tolerance
        int cpus = program.atMost(capacity[0] > 0 ? 1 : 0);
        int memory = program.atMost(capacity[1] > 0 ? 1 : 0);
        for (int j : own) {
            HostRequest request = hostRequests.of(j, partition.pool(), partition.type());
            if (request.isGuaranteed()) {
                int one = program.row(1, 1);
                for (HostLevel level : hostRequests.levels(j)) {
                    if (level.speed() >= request.floorLevel().speed()) {
                        int variable = program.binary(level.speed());
                        program.add(one, variable, 1);
                        program.add(cpus, variable, part(allocations.slots(j) * level.cpusPerSlot(), capacity[0]));
                        program.add(
                                memory, variable, part(allocations.slots(j) * level.memoryGiBPerSlot(), capacity[1]));
                        offers.add(new Offer(j, level, variable));
                    }
                }
            }
        }
    }

    private static double part(double taken, double capacity) {
        return capacity > 0 ? taken / capacity : taken;
    }

    /** Returns CPUs and memory of all nodes of the partition's pool and type, the capacity of its jobs. */
    private static double[] capacity(RoundView view, NodePartition partition) {
        double[] sums = new double[2];
        for (Node node : AggregatorReserve.nodes(view)) {
            if (node.pool().equals(partition.pool()) && partition.type().equals(node.acceleratorType())) {
                sums[0] += node.cpus();
                sums[1] += node.memoryGiB();
            }
        }
        return sums;
    }

    /**
     * Returns the level of each job that has one within its share; empty if the floors do not fit, or if the work limit
     * of the round does not suffice.
     */
    Optional<Map<Integer, HostLevel>> levels() {
        return solve().map(solution -> {
            Map<Integer, HostLevel> levels = new HashMap<>();
            offers.stream()
                    .filter(offer -> solution.isOne(offer.variable()))
                    .forEach(offer -> levels.put(offer.job(), offer.level()));
            return levels;
        });
    }

    Optional<LinearSolution> solve() {
        return offers.isEmpty()
                ? Optional.empty()
                : program.maximize(allocations.view().problem().settings().budget(), GAP);
    }
}

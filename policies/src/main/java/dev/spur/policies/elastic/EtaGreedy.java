package dev.spur.policies.elastic;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Greedy allocator with which Hu et al. compare their program, partition by partition. If all jobs fit at their
 * maximum, they get it. Otherwise each job, by arrival, gets its minimum until the first that does not fit. Then the
 * started job with the longest remaining time gets its next slot count, until slots or demand are exhausted.
 *
 * <p>Source: Hu et al., arXiv 2109.03389. A reconstruction: the original text was not available.
 */
public final class EtaGreedy implements Policy {
    private final String name;
    private final boolean backfill;

    /**
     * Creates the policy.
     *
     * @param backfill true if later jobs may start when one does not fit
     */
    public EtaGreedy(String name, boolean backfill) {
        this.name = name;
        this.backfill = backfill;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = assigned.get(partition.index()).stream()
                    .filter(allocations::isOpen)
                    .toList();
            if (!grantMaximum(allocations, partition, jobs)) {
                grantMinimum(allocations, partition, jobs);
                grow(allocations, partition, jobs);
            }
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    private static boolean grantMaximum(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        int sum = 0;
        for (int j : jobs) {
            sum += allocations.view().maxSlots(j, partition);
        }
        if (sum > allocations.free(partition)) {
            return false;
        }
        for (int j : jobs) {
            allocations.grant(j, partition, allocations.view().maxSlots(j, partition));
        }
        return true;
    }

    private void grantMinimum(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        for (int j : jobs) {
            int minimum = allocations.view().next(j, partition, 0);
            if (minimum > 0 && !allocations.grant(j, partition, minimum) && !backfill) {
                return;
            }
        }
    }

    private static void grow(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        RoundView view = allocations.view();
        Comparator<Integer> longestFirst =
                Comparator.comparingDouble(j -> -view.remainingSeconds(j, partition, allocations.slots(j)));
        PriorityQueue<Integer> race = new PriorityQueue<>(longestFirst.thenComparing(JobOrders.ties(view)));
        jobs.stream().filter(j -> allocations.slots(j) > 0).forEach(race::add);
        while (allocations.free(partition) > 0 && !race.isEmpty()) {
            int j = race.remove();
            int next = view.next(j, partition, allocations.slots(j));
            if (next > 0 && allocations.resize(j, next)) {
                race.add(j);
            }
        }
    }
}

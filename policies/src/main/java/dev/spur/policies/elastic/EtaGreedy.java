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
        SlotAllocations grants = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = assigned.get(partition.index()).stream()
                    .filter(grants::isOpen)
                    .toList();
            if (!grantMaximum(grants, partition, jobs)) {
                grantMinimum(grants, partition, jobs);
                grow(grants, partition, jobs);
            }
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    private static boolean grantMaximum(SlotAllocations grants, NodePartition partition, List<Integer> jobs) {
        int sum = 0;
        for (int j : jobs) {
            sum += grants.view().maxSlots(j, partition);
        }
        if (sum > grants.free(partition)) {
            return false;
        }
        for (int j : jobs) {
            grants.grant(j, partition, grants.view().maxSlots(j, partition));
        }
        return true;
    }

    private void grantMinimum(SlotAllocations grants, NodePartition partition, List<Integer> jobs) {
        for (int j : jobs) {
            int minimum = grants.view().next(j, partition, 0);
            if (minimum > 0 && !grants.grant(j, partition, minimum) && !backfill) {
                return;
            }
        }
    }

    private static void grow(SlotAllocations grants, NodePartition partition, List<Integer> jobs) {
        RoundView view = grants.view();
        Comparator<Integer> longestFirst =
                Comparator.comparingDouble(j -> -view.remainingSeconds(j, partition, grants.slots(j)));
        PriorityQueue<Integer> race = new PriorityQueue<>(longestFirst.thenComparing(JobOrders.ties(view)));
        jobs.stream().filter(j -> grants.slots(j) > 0).forEach(race::add);
        while (grants.free(partition) > 0 && !race.isEmpty()) {
            int j = race.remove();
            int next = view.next(j, partition, grants.slots(j));
            if (next > 0 && grants.resize(j, next)) {
                race.add(j);
            }
        }
    }
}

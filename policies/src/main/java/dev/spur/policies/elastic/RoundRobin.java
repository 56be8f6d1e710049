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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Elastic-FIFO and Elastic-SRJF. In a given order, each job gets its minimum number of slots if they fit. Then each
 * started job, in the same order, gets the next slot count, round after round. A job that more slots do not speed up is
 * not grown.
 *
 * <p>Source: the elastic baselines of Voda's scheduler, a third-party implementation. Difference: there a skipped job
 * can get single slots below its minimum.
 */
public final class RoundRobin implements Policy {
    /** Order in which jobs receive slots. */
    public enum Order {
        /** By arrival. */
        ARRIVAL,
        /** By the remaining time on one slot, shortest first. */
        SHORTEST
    }

    private final String name;
    private final Order order;

    public RoundRobin(String name, Order order) {
        this.name = name;
        this.order = order;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return order == Order.ARRIVAL;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            allocate(allocations, partition, inOrder(view, partition, assigned.get(partition.index())));
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    private List<Integer> inOrder(RoundView view, NodePartition partition, List<Integer> jobs) {
        if (order == Order.ARRIVAL) {
            return jobs;
        }
        Comparator<Integer> shortest =
                Comparator.comparingDouble(j -> ElasticScaling.secondsOnOneSlot(view, j, partition));
        return jobs.stream()
                .sorted(shortest.thenComparing(JobOrders.ties(view)))
                .toList();
    }

    private static void allocate(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        RoundView view = allocations.view();
        List<Integer> growing = new ArrayList<>();
        for (int j : jobs) {
            if (allocations.grant(j, partition, view.next(j, partition, 0))) {
                growing.add(j);
            }
        }
        while (allocations.free(partition) > 0 && !growing.isEmpty()) {
            growing.removeIf(j -> {
                int next = ElasticScaling.nextFaster(view, j, partition, allocations.slots(j));
                return next == 0 || !allocations.resize(j, next);
            });
        }
    }
}

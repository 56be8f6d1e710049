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
 * Elastic-FIFO and Elastic-SRJF: in an order, each job gets its fewest slots if they fit; then each started job in the
 * same order gets one step more, round after round. A job that no further slots make faster is not grown.
 *
 * <p>Source: the elastic baselines of Voda's scheduler, another's implementation. There a skipped job can get single
 * slots below its fewest; not here.
 */
public final class RoundRobin implements Policy {
    /** In which order jobs are served. */
    public enum Order {
        /** The first to arrive goes first. */
        ARRIVAL,
        /** The job with the least time left on one slot goes first. */
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
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            serve(grants, lane, inOrder(snapshot, lane, dealt.get(lane.index())));
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    private List<Integer> inOrder(RoundView snapshot, NodePartition lane, List<Integer> jobs) {
        if (order == Order.ARRIVAL) {
            return jobs;
        }
        Comparator<Integer> shortest =
                Comparator.comparingDouble(j -> ElasticScaling.secondsOnOneSlot(snapshot, j, lane));
        return jobs.stream()
                .sorted(shortest.thenComparing(JobOrders.ties(snapshot)))
                .toList();
    }

    private static void serve(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        RoundView snapshot = grants.snapshot();
        List<Integer> growing = new ArrayList<>();
        for (int j : jobs) {
            if (grants.give(j, lane, snapshot.next(j, lane, 0))) {
                growing.add(j);
            }
        }
        while (grants.free(lane) > 0 && !growing.isEmpty()) {
            growing.removeIf(j -> {
                int next = ElasticScaling.nextFaster(snapshot, j, lane, grants.slots(j));
                return next == 0 || !grants.resize(j, next);
            });
        }
    }
}

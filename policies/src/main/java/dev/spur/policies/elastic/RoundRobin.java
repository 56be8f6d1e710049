package dev.spur.policies.elastic;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.round.BatchRule;
import dev.spur.policies.round.Deal;
import dev.spur.policies.round.Grants;
import dev.spur.policies.round.Lane;
import dev.spur.policies.round.Orders;
import dev.spur.policies.round.Seating;
import dev.spur.policies.round.Snapshot;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Elastic-FIFO and Elastic-SRJF: in an order, each job gets its fewest slots if they fit; then each started job in the same order
 * gets one step more, round after round. A job that no further slots make faster is not grown.
 *
 * <p>Source: the elastic baselines of Voda's scheduler, another's implementation. There a skipped job can get single slots below
 * its fewest; not here.
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
        Snapshot snapshot = Snapshot.of(problem, BatchRule.USER);
        Grants grants = new Grants(snapshot);
        List<List<Integer>> dealt = Deal.byLane(snapshot);
        for (Lane lane : snapshot.lanes()) {
            serve(grants, lane, inOrder(snapshot, lane, dealt.get(lane.index())));
        }
        return Seating.decide(grants, RoundMemory.EMPTY);
    }

    private List<Integer> inOrder(Snapshot snapshot, Lane lane, List<Integer> jobs) {
        if (order == Order.ARRIVAL) {
            return jobs;
        }
        Comparator<Integer> shortest = Comparator.comparingDouble(j -> Elastic.secondsOnOneSlot(snapshot, j, lane));
        return jobs.stream()
                .sorted(shortest.thenComparing(Orders.ties(snapshot)))
                .toList();
    }

    private static void serve(Grants grants, Lane lane, List<Integer> jobs) {
        Snapshot snapshot = grants.snapshot();
        List<Integer> growing = new ArrayList<>();
        for (int j : jobs) {
            if (grants.give(j, lane, snapshot.next(j, lane, 0))) {
                growing.add(j);
            }
        }
        while (grants.free(lane) > 0 && !growing.isEmpty()) {
            growing.removeIf(j -> {
                int next = Elastic.nextFaster(snapshot, j, lane, grants.slots(j));
                return next == 0 || !grants.resize(j, next);
            });
        }
    }
}

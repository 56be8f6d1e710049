package dev.spur.policies.lyra;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.elastic.KnapsackItem;
import dev.spur.policies.elastic.MultipleChoiceKnapsack;
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
 * Lyra, partition by partition: the shortest jobs first get their minimum slots; the remaining slots are assigned by a
 * knapsack that maximizes the time saved.
 *
 * <pre>
 * maximize sum of remaining time(minimum) - remaining time(minimum + extra);  sum of extra slots &lt;= what is free
 * </pre>
 *
 * A loaned node leaves the round as any draining node does; {@link NodeReclamation} selects the nodes to return.
 * Source: Li et al., EuroSys '23. A reconstruction of both phases.
 */
public final class Lyra implements Policy {
    @Override
    public String name() {
        return "lyra";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            Comparator<Integer> shortest =
                    Comparator.comparingDouble(j -> view.remainingSeconds(j, partition, view.next(j, partition, 0)));
            List<Integer> started = assigned.get(partition.index()).stream()
                    .filter(allocations::isOpen)
                    .sorted(shortest.thenComparing(JobOrders.ties(view)))
                    .filter(j -> allocations.grant(j, partition, view.next(j, partition, 0)))
                    .toList();
            grantExtraSlots(allocations, partition, started);
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    private static void grantExtraSlots(SlotAllocations allocations, NodePartition partition, List<Integer> started) {
        List<List<KnapsackItem>> items = started.stream()
                .map(j -> extras(allocations.view(), j, partition))
                .toList();
        int[] chosen = MultipleChoiceKnapsack.solve(items, Math.max(0, allocations.free(partition)));
        for (int i = 0; i < chosen.length; i++) {
            int j = started.get(i);
            allocations.resize(
                    j, allocations.slots(j) + items.get(i).get(chosen[i]).slots());
        }
    }

    /** Returns the seconds saved by extra slots, beginning with no extra slots. */
    static List<KnapsackItem> extras(RoundView view, int j, NodePartition partition) {
        int minimum = view.next(j, partition, 0);
        double base = view.remainingSeconds(j, partition, minimum);
        List<KnapsackItem> extras = new ArrayList<>();
        for (int slots : view.counts(j, partition)) {
            extras.add(new KnapsackItem(slots - minimum, base - view.remainingSeconds(j, partition, slots)));
        }
        return extras;
    }
}

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
 * Lyra, lane by lane: the shortest jobs first get their fewest slots; what is left goes out as extra slots, so that
 * they save most time, by a knapsack.
 *
 * <pre>
 * maximize sum of remaining time(fewest) - remaining time(fewest + extra);  sum of extra slots &lt;= what is free
 * </pre>
 *
 * A node that was lent leaves the round as any node that drains does; {@link NodeReclamation} says which ones to give
 * back. Source: Li et al., EuroSys '23. A reconstruction of both phases.
 */
public final class Lyra implements Policy {
    @Override
    public String name() {
        return "lyra";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            Comparator<Integer> shortest =
                    Comparator.comparingDouble(j -> snapshot.remainingSeconds(j, lane, snapshot.next(j, lane, 0)));
            List<Integer> started = dealt.get(lane.index()).stream()
                    .filter(grants::isOpen)
                    .sorted(shortest.thenComparing(JobOrders.ties(snapshot)))
                    .filter(j -> grants.give(j, lane, snapshot.next(j, lane, 0)))
                    .toList();
            giveExtra(grants, lane, started);
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    private static void giveExtra(SlotAllocations grants, NodePartition lane, List<Integer> started) {
        List<List<KnapsackItem>> choices =
                started.stream().map(j -> extras(grants.snapshot(), j, lane)).toList();
        int[] chosen = MultipleChoiceKnapsack.solve(choices, Math.max(0, grants.free(lane)));
        for (int i = 0; i < chosen.length; i++) {
            int j = started.get(i);
            grants.resize(j, grants.slots(j) + choices.get(i).get(chosen[i]).slots());
        }
    }

    /** Seconds saved by extra slots, none first. */
    static List<KnapsackItem> extras(RoundView snapshot, int j, NodePartition lane) {
        int fewest = snapshot.next(j, lane, 0);
        double base = snapshot.remainingSeconds(j, lane, fewest);
        List<KnapsackItem> extras = new ArrayList<>();
        for (int slots : snapshot.counts(j, lane)) {
            extras.add(new KnapsackItem(slots - fewest, base - snapshot.remainingSeconds(j, lane, slots)));
        }
        return extras;
    }
}

package dev.spur.policies.elastic;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * AFS-L: slots are granted step by step, each to the winner of a scan that weighs the speedup of a step against the
 * length of the job. Of two jobs a, the shorter at its current slots, and b, the step goes to b if
 *
 * <pre>
 * (g_b(next) - g_b) / g_b(next)  &gt;  (g_a(next) - g_a) / g_a
 * </pre>
 *
 * with goodput g. Of two jobs without slots, the step goes to the shorter one. Source: Hwang et al., NSDI '21; the rule
 * from Voda's scheduler. Here each length is measured at the job's own slots, and the first step is the job's minimum.
 */
public final class Afs implements Policy {
    @Override
    public String name() {
        return "afs-l";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> race = new ArrayList<>(assigned.get(partition.index()).stream()
                    .filter(grants::isOpen)
                    .toList());
            race.removeIf(j -> next(grants, partition, j) == 0);
            while (grants.free(partition) > 0 && !race.isEmpty()) {
                step(grants, partition, race);
            }
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    /**
     * Grants the winner its next step. A job without a next step, or with too few free slots for it, is removed from
     * the candidates.
     */
    private static void step(SlotAllocations grants, NodePartition partition, List<Integer> race) {
        int winner = race.get(0);
        for (int other : race.subList(1, race.size())) {
            winner = winner(grants, partition, winner, other);
        }
        int next = next(grants, partition, winner);
        boolean got = grants.slots(winner) == 0 ? grants.grant(winner, partition, next) : grants.resize(winner, next);
        if (!got || next(grants, partition, winner) == 0) {
            race.remove((Integer) winner);
        }
    }

    private static int winner(SlotAllocations grants, NodePartition partition, int first, int second) {
        RoundView view = grants.view();
        if (grants.slots(first) == 0 && grants.slots(second) == 0) {
            double one = ElasticScaling.secondsOnOneSlot(view, first, partition);
            return ElasticScaling.secondsOnOneSlot(view, second, partition) < one ? second : first;
        }
        boolean ordered = seconds(grants, partition, first) <= seconds(grants, partition, second);
        int a = ordered ? first : second;
        int b = ordered ? second : first;
        double now = view.goodput(a, partition, grants.slots(a));
        double gainA = (view.goodput(a, partition, next(grants, partition, a)) - now) / now;
        double larger = view.goodput(b, partition, next(grants, partition, b));
        double gainB = (larger - view.goodput(b, partition, grants.slots(b))) / larger;
        return gainB > gainA ? b : a;
    }

    private static double seconds(SlotAllocations grants, NodePartition partition, int j) {
        return grants.view().remainingSeconds(j, partition, grants.slots(j));
    }

    private static int next(SlotAllocations grants, NodePartition partition, int j) {
        return ElasticScaling.nextFaster(grants.view(), j, partition, grants.slots(j));
    }
}

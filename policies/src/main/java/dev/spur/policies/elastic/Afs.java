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
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> race = new ArrayList<>(assigned.get(partition.index()).stream()
                    .filter(allocations::isOpen)
                    .toList());
            race.removeIf(j -> next(allocations, partition, j) == 0);
            while (allocations.free(partition) > 0 && !race.isEmpty()) {
                step(allocations, partition, race);
            }
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    /**
     * Grants the winner its next step. A job without a next step, or with too few free slots for it, is removed from
     * the candidates.
     */
    private static void step(SlotAllocations allocations, NodePartition partition, List<Integer> race) {
        int winner = race.get(0);
        for (int other : race.subList(1, race.size())) {
            winner = winner(allocations, partition, winner, other);
        }
        int next = next(allocations, partition, winner);
        boolean got = allocations.slots(winner) == 0
                ? allocations.grant(winner, partition, next)
                : allocations.resize(winner, next);
        if (!got || next(allocations, partition, winner) == 0) {
            race.remove((Integer) winner);
        }
    }

    private static int winner(SlotAllocations allocations, NodePartition partition, int first, int second) {
        RoundView view = allocations.view();
        if (allocations.slots(first) == 0 && allocations.slots(second) == 0) {
            double one = ElasticScaling.secondsOnOneSlot(view, first, partition);
            return ElasticScaling.secondsOnOneSlot(view, second, partition) < one ? second : first;
        }
        boolean ordered = seconds(allocations, partition, first) <= seconds(allocations, partition, second);
        int a = ordered ? first : second;
        int b = ordered ? second : first;
        double now = view.goodput(a, partition, allocations.slots(a));
        double gainA = (view.goodput(a, partition, next(allocations, partition, a)) - now) / now;
        double larger = view.goodput(b, partition, next(allocations, partition, b));
        double gainB = (larger - view.goodput(b, partition, allocations.slots(b))) / larger;
        return gainB > gainA ? b : a;
    }

    private static double seconds(SlotAllocations allocations, NodePartition partition, int j) {
        return allocations.view().remainingSeconds(j, partition, allocations.slots(j));
    }

    private static int next(SlotAllocations allocations, NodePartition partition, int j) {
        return ElasticScaling.nextFaster(allocations.view(), j, partition, allocations.slots(j));
    }
}

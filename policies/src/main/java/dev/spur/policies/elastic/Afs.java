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
 * AFS-L: slots go out step by step, each to the winner of a scan that weighs how much faster a step makes a job against
 * how short the job is. Of two jobs a, the shorter at its present slots, and b, the step goes to b if
 *
 * <pre>
 * (g_b(next) - g_b) / g_b(next)  &gt;  (g_a(next) - g_a) / g_a
 * </pre>
 *
 * with goodput g; of two jobs without slots it goes to the shorter one. Source: Hwang et al., NSDI '21; the rule from
 * Voda's scheduler. Here each length is measured at the job's own slots, and the first step is the job's fewest.
 */
public final class Afs implements Policy {
    @Override
    public String name() {
        return "afs-l";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> race = new ArrayList<>(
                    dealt.get(lane.index()).stream().filter(grants::isOpen).toList());
            race.removeIf(j -> next(grants, lane, j) == 0);
            while (grants.free(lane) > 0 && !race.isEmpty()) {
                step(grants, lane, race);
            }
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    /** Gives the winner its next step; who has no next step, or finds too few slots for it, leaves the race. */
    private static void step(SlotAllocations grants, NodePartition lane, List<Integer> race) {
        int winner = race.get(0);
        for (int other : race.subList(1, race.size())) {
            winner = winner(grants, lane, winner, other);
        }
        int next = next(grants, lane, winner);
        boolean got = grants.slots(winner) == 0 ? grants.give(winner, lane, next) : grants.resize(winner, next);
        if (!got || next(grants, lane, winner) == 0) {
            race.remove((Integer) winner);
        }
    }

    private static int winner(SlotAllocations grants, NodePartition lane, int first, int second) {
        RoundView snapshot = grants.snapshot();
        if (grants.slots(first) == 0 && grants.slots(second) == 0) {
            double one = ElasticScaling.secondsOnOneSlot(snapshot, first, lane);
            return ElasticScaling.secondsOnOneSlot(snapshot, second, lane) < one ? second : first;
        }
        boolean ordered = seconds(grants, lane, first) <= seconds(grants, lane, second);
        int a = ordered ? first : second;
        int b = ordered ? second : first;
        double now = snapshot.goodput(a, lane, grants.slots(a));
        double gainA = (snapshot.goodput(a, lane, next(grants, lane, a)) - now) / now;
        double then = snapshot.goodput(b, lane, next(grants, lane, b));
        double gainB = (then - snapshot.goodput(b, lane, grants.slots(b))) / then;
        return gainB > gainA ? b : a;
    }

    private static double seconds(SlotAllocations grants, NodePartition lane, int j) {
        return grants.snapshot().remainingSeconds(j, lane, grants.slots(j));
    }

    private static int next(SlotAllocations grants, NodePartition lane, int j) {
        return ElasticScaling.nextFaster(grants.snapshot(), j, lane, grants.slots(j));
    }
}

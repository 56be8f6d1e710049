package dev.spur.policies.lyra;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.elastic.Choice;
import dev.spur.policies.elastic.Knapsack;
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
 * Lyra, lane by lane: the shortest jobs first get their fewest slots; what is left goes out as extra slots, so that they save most
 * time, by a knapsack.
 *
 * <pre>
 * maximize sum of remaining time(fewest) - remaining time(fewest + extra);  sum of extra slots &lt;= what is free
 * </pre>
 *
 * A node that was lent leaves the round as any node that drains does; {@link Reclaim} says which ones to give back. Source: Li et
 * al., EuroSys '23. A reconstruction of both phases.
 */
public final class Lyra implements Policy {
    @Override
    public String name() {
        return "lyra";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        Snapshot snapshot = Snapshot.of(problem, BatchRule.USER);
        Grants grants = new Grants(snapshot);
        List<List<Integer>> dealt = Deal.byLane(snapshot);
        for (Lane lane : snapshot.lanes()) {
            Comparator<Integer> shortest =
                    Comparator.comparingDouble(j -> snapshot.remainingSeconds(j, lane, snapshot.next(j, lane, 0)));
            List<Integer> started = dealt.get(lane.index()).stream()
                    .filter(grants::isOpen)
                    .sorted(shortest.thenComparing(Orders.ties(snapshot)))
                    .filter(j -> grants.give(j, lane, snapshot.next(j, lane, 0)))
                    .toList();
            giveExtra(grants, lane, started);
        }
        return Seating.decide(grants, RoundMemory.EMPTY);
    }

    private static void giveExtra(Grants grants, Lane lane, List<Integer> started) {
        List<List<Choice>> choices =
                started.stream().map(j -> extras(grants.snapshot(), j, lane)).toList();
        int[] chosen = Knapsack.solve(choices, Math.max(0, grants.free(lane)));
        for (int i = 0; i < chosen.length; i++) {
            int j = started.get(i);
            grants.resize(j, grants.slots(j) + choices.get(i).get(chosen[i]).slots());
        }
    }

    /** Seconds saved by extra slots, none first. */
    static List<Choice> extras(Snapshot snapshot, int j, Lane lane) {
        int fewest = snapshot.next(j, lane, 0);
        double base = snapshot.remainingSeconds(j, lane, fewest);
        List<Choice> extras = new ArrayList<>();
        for (int slots : snapshot.counts(j, lane)) {
            extras.add(new Choice(slots - fewest, base - snapshot.remainingSeconds(j, lane, slots)));
        }
        return extras;
    }
}

package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * One round of Gavel: lane by lane, the fastest first, or in an order drawn anew for those who are blind to types, to
 * the jobs that have had least of their shares: by share / fraction of the time received, then by deficit, then by
 * share.
 */
final class RoundMechanism {
    /** A share that never was given at all goes before all others. */
    private static final double NEVER = 1e9;

    private RoundMechanism() {}

    /**
     * @param fillsUp true if jobs without a share in a lane take what is left over there
     * @param idles who is dealt slots without using them
     */
    static PlacementState seat(
            JobSpeeds speed, Shares shares, ReceivedTime received, boolean fillsUp, IntPredicate idles) {
        RoundView snapshot = speed.snapshot();
        SlotAllocations grants = new SlotAllocations(snapshot);
        for (NodePartition lane : speed.isBlind() ? shuffled(snapshot) : fastestFirst(speed)) {
            double[] priority = new double[snapshot.jobs()];
            for (int j : speed.jobs()) {
                priority[j] = priority(shares.of(j, lane), received.fraction(j, lane));
            }
            Comparator<Integer> order = Comparator.comparingDouble((Integer j) -> -priority[j])
                    .thenComparingDouble(j -> -received.deficit(j, lane))
                    .thenComparingDouble(j -> -shares.of(j, lane))
                    .thenComparing(JobOrders.ties(snapshot));
            speed.jobs().stream()
                    .filter(j -> priority[j] > 0 || (fillsUp && speed.on(j, lane) > 0))
                    .sorted(order)
                    .filter(j -> grants.slots(j) == 0)
                    .forEach(j -> grants.give(j, lane, speed.slots(j)));
        }
        speed.jobs().stream().filter(idles::test).forEach(grants::take);
        PlacementState seating = new PlacementState(snapshot);
        seating.seat(grants, j -> PlacementRules.FEWEST_NODES);
        return seating;
    }

    private static double priority(double share, double fraction) {
        return fraction == 0 ? share * NEVER : share / fraction;
    }

    private static List<NodePartition> shuffled(RoundView snapshot) {
        List<NodePartition> lanes = new ArrayList<>(snapshot.lanes());
        Collections.shuffle(lanes, new Random(Double.hashCode(snapshot.now())));
        return lanes;
    }

    private static List<NodePartition> fastestFirst(JobSpeeds speed) {
        return speed.snapshot().lanes().stream()
                .sorted(Comparator.comparingDouble(lane -> -speed.jobs().stream()
                        .mapToDouble(j -> speed.on(j, lane) / speed.equal(j))
                        .sum()))
                .toList();
    }
}

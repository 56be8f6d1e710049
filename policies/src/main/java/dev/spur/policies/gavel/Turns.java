package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.round.Grants;
import dev.spur.policies.round.Lane;
import dev.spur.policies.round.Orders;
import dev.spur.policies.round.Placements;
import dev.spur.policies.round.Seating;
import dev.spur.policies.round.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * One round of Gavel: lane by lane, the fastest first, or in an order drawn anew for those who are blind to types, to the jobs that have had least of their shares: by share / fraction of the
 * time received, then by deficit, then by share.
 */
final class Turns {
    /** A share that never was given at all goes before all others. */
    private static final double NEVER = 1e9;

    private Turns() {}

    /**
     * @param fillsUp true if jobs without a share in a lane take what is left over there
     * @param idles who is dealt slots without using them
     */
    static Seating seat(Speed speed, Shares shares, Received received, boolean fillsUp, IntPredicate idles) {
        Snapshot snapshot = speed.snapshot();
        Grants grants = new Grants(snapshot);
        for (Lane lane : speed.isBlind() ? shuffled(snapshot) : fastestFirst(speed)) {
            double[] priority = new double[snapshot.jobs()];
            for (int j : speed.jobs()) {
                priority[j] = priority(shares.of(j, lane), received.fraction(j, lane));
            }
            Comparator<Integer> order = Comparator.comparingDouble((Integer j) -> -priority[j])
                    .thenComparingDouble(j -> -received.deficit(j, lane))
                    .thenComparingDouble(j -> -shares.of(j, lane))
                    .thenComparing(Orders.ties(snapshot));
            speed.jobs().stream()
                    .filter(j -> priority[j] > 0 || (fillsUp && speed.on(j, lane) > 0))
                    .sorted(order)
                    .filter(j -> grants.slots(j) == 0)
                    .forEach(j -> grants.give(j, lane, speed.slots(j)));
        }
        speed.jobs().stream().filter(idles::test).forEach(grants::take);
        Seating seating = new Seating(snapshot);
        seating.seat(grants, j -> Placements.FEWEST_NODES);
        return seating;
    }

    private static double priority(double share, double fraction) {
        return fraction == 0 ? share * NEVER : share / fraction;
    }

    private static List<Lane> shuffled(Snapshot snapshot) {
        List<Lane> lanes = new ArrayList<>(snapshot.lanes());
        Collections.shuffle(lanes, new Random(Double.hashCode(snapshot.now())));
        return lanes;
    }

    private static List<Lane> fastestFirst(Speed speed) {
        return speed.snapshot().lanes().stream()
                .sorted(Comparator.comparingDouble(lane -> -speed.jobs().stream()
                        .mapToDouble(j -> speed.on(j, lane) / speed.equal(j))
                        .sum()))
                .toList();
    }
}

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
 * Round-based mechanism of Gavel. It processes partitions fastest first, or in a random order for type-blind policies.
 * Within a partition, jobs are ordered by share / fraction of time received, then by deficit, then by share.
 */
final class RoundMechanism {
    /** Factor for a share of which nothing was received, so that it precedes all others. */
    private static final double NEVER = 1e9;

    private RoundMechanism() {}

    /**
     * Places the jobs of one round.
     *
     * @param fillsUp true if jobs without a share in a partition get its unclaimed slots
     * @param idles jobs that are granted slots but do not run
     */
    static PlacementState place(
            JobSpeeds speed, Shares shares, ReceivedTime received, boolean fillsUp, IntPredicate idles) {
        RoundView view = speed.view();
        SlotAllocations allocations = new SlotAllocations(view);
        for (NodePartition partition : speed.isBlind() ? shuffle(view) : fastestFirst(speed)) {
            double[] priority = new double[view.jobs()];
            for (int j : speed.jobs()) {
                priority[j] = priority(shares.of(j, partition), received.fraction(j, partition));
            }
            Comparator<Integer> order = Comparator.comparingDouble((Integer j) -> -priority[j])
                    .thenComparingDouble(j -> -received.deficit(j, partition))
                    .thenComparingDouble(j -> -shares.of(j, partition))
                    .thenComparing(JobOrders.ties(view));
            speed.jobs().stream()
                    .filter(j -> priority[j] > 0 || (fillsUp && speed.on(j, partition) > 0))
                    .sorted(order)
                    .filter(j -> allocations.slots(j) == 0)
                    .forEach(j -> allocations.grant(j, partition, speed.slots(j)));
        }
        speed.jobs().stream().filter(idles::test).forEach(allocations::revoke);
        PlacementState placement = new PlacementState(view);
        placement.placeAll(allocations, j -> PlacementRules.MIN_NODES);
        return placement;
    }

    private static double priority(double share, double fraction) {
        return fraction == 0 ? share * NEVER : share / fraction;
    }

    private static List<NodePartition> shuffle(RoundView view) {
        List<NodePartition> partitions = new ArrayList<>(view.partitions());
        Collections.shuffle(partitions, new Random(Double.hashCode(view.now())));
        return partitions;
    }

    private static List<NodePartition> fastestFirst(JobSpeeds speed) {
        return speed.view().partitions().stream()
                .sorted(Comparator.comparingDouble(partition -> -speed.jobs().stream()
                        .mapToDouble(j -> speed.on(j, partition) / speed.equal(j))
                        .sum()))
                .toList();
    }
}

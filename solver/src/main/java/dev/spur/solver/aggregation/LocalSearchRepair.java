package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Local search for a packing within the limits. Each step moves the shards that reduce the excess most, from the slots
 * with the highest excess to any open slot. The budget counts evaluated moves, not time.
 */
final class LocalSearchRepair {
    /** Number of slots from which shards may move in one step. */
    private static final int SOURCES = 4;
    /** Penalty, in excess, for moving a shard off its previous slot. It breaks ties in favor of the previous place. */
    private static final double LEAVING_HOME = 1e-4;

    private static final double MIN_GAIN = 1e-9;
    /** Weight of excess relative to stalls when shards are assigned. */
    private static final double EXCESS = 1000;

    private final PackingState packing;
    private final ShardClasses classes;
    private long evaluations;

    /** @param evaluations maximum number of moves that the search evaluates */
    LocalSearchRepair(PackingState packing, ShardClasses classes, long evaluations) {
        this.packing = packing;
        this.classes = classes;
        this.evaluations = evaluations;
    }

    /** An improving move. */
    private record Step(int kind, int from, int to, int shards) {}

    /** Moves shards until the limits hold, for at most {@code steps} moves. Returns whether they hold. */
    boolean repair(BitSet open, int steps) {
        for (int step = 0; step < steps && packing.excess() > 0; step++) {
            Step best = best(open);
            if (best == null) {
                return false;
            }
            packing.move(best.kind(), best.from(), best.to(), best.shards());
        }
        return packing.excess() == 0;
    }

    /** Returns whether the evaluation budget is spent. The search then takes the first feasible slot. */
    boolean isExhausted() {
        return evaluations <= 0;
    }

    private @Nullable Step best(BitSet open) {
        double min = packing.excess() + LEAVING_HOME * packing.displacedShards() - MIN_GAIN;
        Step best = null;
        for (Step step : steps(open)) {
            double left = isExhausted() ? Double.POSITIVE_INFINITY : after(step);
            if (left < min) {
                min = left;
                best = step;
            }
        }
        return best;
    }

    /**
     * Returns the candidate moves: one shard or all shards of a class, from the slots with the highest excess to any
     * slot.
     */
    private List<Step> steps(BitSet open) {
        List<Step> steps = new ArrayList<>();
        for (int from : sources(open)) {
            for (int job : packing.residents(from)) {
                for (int kind = classes.first(job); kind < classes.first(job + 1); kind++) {
                    int count = packing.shards(kind, from);
                    for (int to = open.nextSetBit(0); count > 0 && to >= 0; to = open.nextSetBit(to + 1)) {
                        if (to != from) {
                            steps.add(new Step(kind, from, to, 1));
                        }
                        if (to != from && count > 1) {
                            steps.add(new Step(kind, from, to, count));
                        }
                    }
                }
            }
        }
        return steps;
    }

    private List<Integer> sources(BitSet open) {
        return open.stream()
                .boxed()
                .filter(slot -> slot < packing.slotCount() && packing.pressure(slot) > 0)
                .sorted(Comparator.comparingDouble(packing::pressure).reversed())
                .limit(SOURCES)
                .toList();
    }

    private double after(Step step) {
        evaluations--;
        int mark = packing.mark();
        packing.move(step.kind(), step.from(), step.to(), step.shards());
        double left = packing.excess() + LEAVING_HOME * packing.displacedShards();
        packing.backTo(mark);
        return left;
    }

    /**
     * Returns the open slot on which an unplaced shard adds least to excess and stalls; with a spent budget, the least
     * utilized one; -1 if no slot is open.
     */
    int best(int kind, BitSet open) {
        int best = PackingState.NOWHERE;
        double min = Double.POSITIVE_INFINITY;
        for (int to = open.nextSetBit(0); to >= 0; to = open.nextSetBit(to + 1)) {
            double cost = isExhausted() ? packing.load(to) : cost(kind, to);
            if (cost < min) {
                min = cost;
                best = to;
            }
        }
        return best;
    }

    private double cost(int kind, int to) {
        evaluations--;
        int mark = packing.mark();
        packing.move(kind, PackingState.NOWHERE, to, 1);
        double cost = EXCESS * packing.excess() + packing.waits();
        packing.backTo(mark);
        return cost;
    }
}

package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Local search for a packing within its limits: step by step the shards move that take most off the excess, from the
 * slots that do most to exceed limits to any slot that is open. Counts moves that it looks at, and no time.
 */
final class LocalSearchRepair {
    /** Slots from which shards may move in one step. */
    private static final int SOURCES = 4;
    /** What a shard that leaves its home costs, in excess: of two that help alike, those that are at home stay. */
    private static final double LEAVING_HOME = 1e-4;

    private static final double LEAST_GAIN = 1e-9;
    /** How much dearer excess is than waiting when shards are dealt out. */
    private static final double EXCESS = 1000;

    private final PackingState packing;
    private final ShardClasses kinds;
    private long looks;

    /** @param looks moves that it may look at */
    LocalSearchRepair(PackingState packing, ShardClasses kinds, long looks) {
        this.packing = packing;
        this.kinds = kinds;
        this.looks = looks;
    }

    /** A move that is worth making. */
    private record Step(int kind, int from, int to, int shards) {}

    /** Moves shards until limits are kept, for at most {@code steps} moves. True if they are kept. */
    boolean mend(BitSet open, int steps) {
        for (int step = 0; step < steps && packing.excess() > 0; step++) {
            Step best = best(open);
            if (best == null) {
                return false;
            }
            packing.move(best.kind(), best.from(), best.to(), best.shards());
        }
        return packing.excess() == 0;
    }

    /** True if it may look at no move more: then it takes the first that will do. */
    boolean isTired() {
        return looks <= 0;
    }

    private @Nullable Step best(BitSet open) {
        double least = packing.excess() + LEAVING_HOME * packing.displaced() - LEAST_GAIN;
        Step best = null;
        for (Step step : steps(open)) {
            double left = isTired() ? Double.POSITIVE_INFINITY : after(step);
            if (left < least) {
                least = left;
                best = step;
            }
        }
        return best;
    }

    /** One shard, or all shards of a kind, from where most limits are exceeded to anywhere. */
    private List<Step> steps(BitSet open) {
        List<Step> steps = new ArrayList<>();
        for (int from : sources(open)) {
            for (int job : packing.residents(from)) {
                for (int kind = kinds.first(job); kind < kinds.first(job + 1); kind++) {
                    int here = packing.shards(kind, from);
                    for (int to = open.nextSetBit(0); here > 0 && to >= 0; to = open.nextSetBit(to + 1)) {
                        if (to != from) {
                            steps.add(new Step(kind, from, to, 1));
                        }
                        if (to != from && here > 1) {
                            steps.add(new Step(kind, from, to, here));
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
                .filter(slot -> slot < packing.opened() && packing.pressure(slot) > 0)
                .sorted(Comparator.comparingDouble(packing::pressure).reversed())
                .limit(SOURCES)
                .toList();
    }

    private double after(Step step) {
        looks--;
        int mark = packing.mark();
        packing.move(step.kind(), step.from(), step.to(), step.shards());
        double left = packing.excess() + LEAVING_HOME * packing.displaced();
        packing.backTo(mark);
        return left;
    }

    /**
     * The open slot on which a shard that lies nowhere adds least to excess and waiting, once tired the least busy; -1
     * if none is open.
     */
    int best(int kind, BitSet open) {
        int best = PackingState.NOWHERE;
        double least = Double.POSITIVE_INFINITY;
        for (int to = open.nextSetBit(0); to >= 0; to = open.nextSetBit(to + 1)) {
            double cost = isTired() ? packing.load(to) : cost(kind, to);
            if (cost < least) {
                least = cost;
                best = to;
            }
        }
        return best;
    }

    private double cost(int kind, int to) {
        looks--;
        int mark = packing.mark();
        packing.move(kind, PackingState.NOWHERE, to, 1);
        double cost = EXCESS * packing.excess() + packing.waits();
        packing.backTo(mark);
        return cost;
    }
}

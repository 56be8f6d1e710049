package dev.spur.solver.knapsack;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The best decision of jobs under quotas and caps of their own: a multiple-choice knapsack with a dimension per quota,
 * and two for each cap, its slots and its jobs. Each job takes one of its alternatives; the slots taken of each quota
 * stay within it; the larger of slots taken and slots kept of each quota is claimed elsewhere, at a price; a cap counts
 * the slots of its own jobs, and how many of them take any.
 *
 * <p>Prices of these limits make a relaxation. What a decision loses against it is a sum over jobs and limits, so the
 * search lists all decisions that lose at most a limit, and widens the limit until it finds one: that is the best
 * (compare Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", 1995).
 *
 * <p>One call at a time; each call starts from what the last one learnt.
 */
public final class Knapsack {
    /** States kept after each job while any decision will do. */
    private static final int BEAM = 50;

    /** The first limit, against what an alternative is worth on average. */
    private static final double FIRST_LIMIT = 0.01;

    private static final double WIDEN = 2;

    private final AlternativeReduction kinds;
    private final KnapsackInstance choices;
    private final StateCodec fields;
    private final Relaxation relaxation;
    private double lastLoss;

    /**
     * A quota.
     *
     * @param most slots that may be taken
     * @param kept slots that are claimed even when fewer are taken
     */
    public record Quota(int most, int kept) {}

    /**
     * What some of the jobs may take together, of whatever quota.
     *
     * @param slots slots that they may take
     * @param jobs how many of them may take any
     */
    public record Cap(long slots, long jobs) {}

    private Knapsack(AlternativeReduction kinds, KnapsackInstance choices) {
        this.kinds = kinds;
        this.choices = choices;
        this.fields = new StateCodec(choices);
        this.relaxation = new Relaxation(choices);
    }

    /**
     * The knapsack of some jobs; empty if what they may use is more than one state can tell apart.
     *
     * @param quotas what limits slots of one kind
     * @param caps what limits some of the jobs
     * @param start by job its first alternative, and one more entry for the end; each job has at least one alternative
     * @param capOf by job the cap that counts it; -1 for none
     * @param quota by alternative the quota that it takes slots of; -1 for none
     * @param slots by alternative how many it takes
     */
    public static Optional<Knapsack> of(
            List<Quota> quotas, List<Cap> caps, int[] start, int[] capOf, int[] quota, int[] slots) {
        AlternativeReduction kinds = new AlternativeReduction(start, quota, slots);
        KnapsackInstance choices = kinds.choices(quotas, caps, capOf);
        return StateCodec.bits(choices) > StateCodec.BITS
                ? Optional.empty()
                : Optional.of(new Knapsack(kinds, choices));
    }

    /**
     * Decides.
     *
     * @param value by alternative what it gains, claims left out
     * @param claimPrice by quota what a claimed slot costs, at least 0
     * @param width states kept after each job; where more would be needed, the bound is less tight
     */
    public KnapsackSolution solve(double[] value, double[] claimPrice, int width) {
        relaxation.solve(kinds.most(value), claimPrice);
        double range = relaxation.range();
        double excluded = 0;
        double limit = Math.max(FIRST_LIMIT * range / choices.size(), lastLoss / 2);
        while (true) {
            DeviationSearch departures = new DeviationSearch(choices, fields, relaxation, limit, width);
            double least = Math.min(departures.found(), departures.dropped());
            if (least <= limit || limit > range) {
                lastLoss = Math.max(excluded, Math.min(least, limit));
                int[] chosen = departures.chosen() == null ? any() : departures.chosen();
                return new KnapsackSolution(
                        relaxation.bound() - lastLoss, relaxation.bound(), chosen == null ? null : kinds.best(chosen));
            }
            excluded = limit;
            limit *= WIDEN;
        }
    }

    /** Some decision, if there is any to be found. */
    private int @Nullable [] any() {
        int[] near = Repair.of(choices, relaxation);
        return near == null ? new DeviationSearch(choices, fields, relaxation, Double.MAX_VALUE, BEAM).chosen() : near;
    }

    /** The price of a slot of each quota in the last call, and after them by cap those of its slots and of its jobs. */
    public double[] prices() {
        return relaxation.prices().clone();
    }

    /** What {@link #solve} found. */
    public static final class KnapsackSolution {
        private final double bound;
        private final double relaxed;
        private final int @Nullable [] chosen;

        private KnapsackSolution(double bound, double relaxed, int @Nullable [] chosen) {
            this.bound = bound;
            this.relaxed = relaxed;
            this.chosen = chosen;
        }

        /** No decision gains more; what the one found gains, unless states had to be dropped. */
        public double bound() {
            return bound;
        }

        /** What the relaxation by {@link Knapsack#prices} gains, at least {@link #bound}. */
        public double relaxed() {
            return relaxed;
        }

        /** By job its alternative; null if none was found. Not to be changed. */
        public int @Nullable [] chosen() {
            return chosen;
        }
    }
}

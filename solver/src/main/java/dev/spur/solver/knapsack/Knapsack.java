package dev.spur.solver.knapsack;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Multiple-choice knapsack of jobs under quotas and caps of their own, with one dimension per quota and two per cap:
 * its slots and its jobs. Each job takes one alternative. The slots taken of each quota stay within it. The larger of
 * slots taken and slots reserved of each quota is claimed from the parent, at a price. A cap limits the slots of its
 * jobs and the number of jobs that take any.
 *
 * <p>Prices of these limits define a relaxation. The loss of a decision against it is a sum over jobs and limits. The
 * search enumerates all decisions within a loss limit, and widens the limit until it finds one. This one is optimal
 * (compare Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", 1995).
 *
 * <p>Not thread-safe. Each call starts from the prices of the previous one.
 */
public final class Knapsack {
    /** Number of states kept after each job while any feasible decision suffices. */
    private static final int BEAM = 50;

    /** First loss limit, relative to the mean value of an alternative. */
    private static final double FIRST_LIMIT = 0.01;

    private static final double WIDEN = 2;

    private final AlternativeReduction reduction;
    private final KnapsackInstance instance;
    private final StateCodec codec;
    private final Relaxation relaxation;
    private double lastLoss;

    /**
     * A quota.
     *
     * @param max maximum number of slots
     * @param retained slots claimed even when fewer are taken
     */
    public record Quota(int max, int retained) {}

    /**
     * A joint limit of some jobs over all quotas.
     *
     * @param slots maximum number of slots
     * @param jobs maximum number of jobs that take any
     */
    public record Cap(long slots, long jobs) {}

    private Knapsack(AlternativeReduction reduction, KnapsackInstance instance) {
        this.reduction = reduction;
        this.instance = instance;
        this.codec = new StateCodec(instance);
        this.relaxation = new Relaxation(instance);
    }

    /**
     * Returns the knapsack of some jobs; empty if their possible use does not fit one state.
     *
     * @param quotas limits on slots of one kind
     * @param caps joint limits of some of the jobs
     * @param start by job its first alternative, and one more entry for the end; each job has at least one alternative
     * @param capOf by job its cap; -1 for none
     * @param quota by alternative the quota of its slots; -1 for none
     * @param slots by alternative its slots
     */
    public static Optional<Knapsack> of(
            List<Quota> quotas, List<Cap> caps, int[] start, int[] capOf, int[] quota, int[] slots) {
        AlternativeReduction reduction = new AlternativeReduction(start, quota, slots);
        KnapsackInstance instance = reduction.choices(quotas, caps, capOf);
        return StateCodec.bits(instance) > StateCodec.BITS
                ? Optional.empty()
                : Optional.of(new Knapsack(reduction, instance));
    }

    /**
     * Solves the knapsack.
     *
     * @param value by alternative its value, without claims
     * @param claimPrice by quota the price of a claimed slot, at least 0
     * @param width maximum number of states kept after each job; where more are required, the bound is weaker
     */
    public KnapsackSolution solve(double[] value, double[] claimPrice, int width) {
        relaxation.solve(reduction.max(value), claimPrice);
        double range = relaxation.range();
        double excluded = 0;
        double limit = Math.max(FIRST_LIMIT * range / instance.size(), lastLoss / 2);
        while (true) {
            DeviationSearch departures = new DeviationSearch(instance, codec, relaxation, limit, width);
            double min = Math.min(departures.bestLoss(), departures.discardedBound());
            if (min <= limit || limit > range) {
                lastLoss = Math.max(excluded, Math.min(min, limit));
                int[] chosen = departures.bestChoice() == null ? any() : departures.bestChoice();
                return new KnapsackSolution(
                        relaxation.bound() - lastLoss,
                        relaxation.bound(),
                        chosen == null ? null : reduction.best(chosen));
            }
            excluded = limit;
            limit *= WIDEN;
        }
    }

    /** Returns some feasible decision, if one is found. */
    private int @Nullable [] any() {
        int[] near = Repair.of(instance, relaxation);
        return near == null
                ? new DeviationSearch(instance, codec, relaxation, Double.MAX_VALUE, BEAM).bestChoice()
                : near;
    }

    /**
     * Returns the price of a slot of each quota in the last call, followed by the prices of the slots and of the jobs
     * of each cap.
     */
    public double[] prices() {
        return relaxation.prices().clone();
    }

    /** Result of {@link #solve}. */
    public static final class KnapsackSolution {
        private final double bound;
        private final double relaxed;
        private final int @Nullable [] chosen;

        private KnapsackSolution(double bound, double relaxed, int @Nullable [] chosen) {
            this.bound = bound;
            this.relaxed = relaxed;
            this.chosen = chosen;
        }

        /**
         * Returns an upper bound on the value of any decision; it equals the value of the decision found unless states
         * were discarded.
         */
        public double bound() {
            return bound;
        }

        /** Returns the value of the relaxation by {@link Knapsack#prices}, at least {@link #bound}. */
        public double relaxationValue() {
            return relaxed;
        }

        /** Returns by job its alternative; null if none was found. Not to be changed. */
        public int @Nullable [] choice() {
            return chosen;
        }
    }
}

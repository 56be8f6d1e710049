package dev.spur.solver.knapsack;

import java.util.Arrays;

/**
 * Lagrangian relaxation by prices of the limits: each job takes its preferred alternative, and each limit is used to
 * its most profitable level.
 *
 * <p>At any prices, the value of the preferred alternatives plus the profit of the limits is an upper bound on every
 * decision.
 */
final class Relaxation {
    private static final int SWEEPS = 4;
    private static final int BISECTIONS = 24;
    private static final int STEPS = 150;
    /** Number of steps without a better bound after which the target bound is raised. */
    private static final int MAX_IDLE_STEPS = 5;

    private final KnapsackInstance instance;
    private final double[] price;
    private final int[] favourite;
    private double[] value = new double[0];
    private final double[] claimPrice;
    private final double[] lossOf;
    private final double[][] lossAt;
    private double bound;
    private boolean warm;

    Relaxation(KnapsackInstance instance) {
        this.instance = instance;
        this.price = new double[instance.limits()];
        this.claimPrice = new double[instance.limits()];
        this.favourite = new int[instance.jobs()];
        this.lossOf = new double[instance.size()];
        this.lossAt = new double[instance.limits()][];
        Arrays.setAll(lossAt, q -> new double[instance.max(q) + 1]);
    }

    /**
     * Minimizes the bound over the prices, starting from those of the previous call.
     *
     * @param newClaimPrice by quota
     */
    void solve(double[] newValue, double[] newClaimPrice) {
        value = newValue;
        System.arraycopy(newClaimPrice, 0, claimPrice, 0, newClaimPrice.length);
        if (!warm) {
            sweep();
            warm = true;
        }
        descend();
        keepLosses();
    }

    private void keepLosses() {
        for (int j = 0; j < favourite.length; j++) {
            double best = reducedValue(j, favourite[j]);
            for (int a = instance.first(j); a < instance.end(j); a++) {
                lossOf[a] = best - reducedValue(j, a);
            }
        }
        for (int q = 0; q < price.length; q++) {
            double best = earnings(q, bestUse(q));
            for (int used = 0; used < lossAt[q].length; used++) {
                lossAt[q][used] = best - earnings(q, used);
            }
        }
    }

    /** Returns the upper bound on every decision. */
    double bound() {
        return bound;
    }

    /** Returns by limit the price of a slot or of a job; not to be changed. */
    double[] prices() {
        return price;
    }

    int favourite(int j) {
        return favourite[j];
    }

    /** Returns the reduced value of alternative {@code a}: its loss against the preferred alternative of its job. */
    double loss(int a) {
        return lossOf[a];
    }

    /** Returns the mean value of the preferred alternatives. */
    private double meanGain() {
        double gain = 0;
        for (int j = 0; j < favourite.length; j++) {
            gain += Math.abs(reducedValue(j, favourite[j]));
        }
        return gain / Math.max(1, favourite.length);
    }

    /** Returns an upper bound on the loss of any feasible decision. */
    double range() {
        double range = 1e-9;
        for (int j = 0; j < favourite.length; j++) {
            for (int a = instance.first(j); a < instance.end(j); a++) {
                range += Math.abs(value[a]) + Math.abs(reducedValue(j, a));
            }
        }
        for (int q = 0; q < price.length; q++) {
            range += (price[q] + claimPrice[q]) * (instance.max(q) + instance.retainedUse(q));
        }
        return range;
    }

    /** Returns the loss of limit {@code q} at use {@code used} against its most profitable use. */
    double loss(int q, int used) {
        return lossAt[q][used];
    }

    /** Returns the most profitable use of limit {@code q}. */
    int bestUse(int q) {
        return price[q] >= claimPrice[q] ? instance.max(q) : Math.min(instance.retainedUse(q), instance.max(q));
    }

    private double earnings(int q, long used) {
        return price[q] * used - claimPrice[q] * Math.max(instance.retainedUse(q), used);
    }

    private double reducedValue(int j, int a) {
        int q = instance.quota(a);
        double reduced = q < 0 ? value[a] : value[a] - price[q] * instance.slots(a);
        int g = instance.cap(j);
        return g < 0 || instance.slots(a) == 0
                ? reduced
                : reduced - price[instance.slotsOf(g)] * instance.slots(a) - price[instance.jobsOf(g)];
    }

    /** Selects the preferred alternatives at the present prices; returns the bound. */
    private double chooseFavourites() {
        double gain = 0;
        for (int j = 0; j < favourite.length; j++) {
            int best = instance.first(j);
            double max = Double.NEGATIVE_INFINITY;
            for (int a = instance.first(j); a < instance.end(j); a++) {
                double own = reducedValue(j, a);
                if (own > max) {
                    max = own;
                    best = a;
                }
            }
            favourite[j] = best;
            gain += max;
        }
        for (int q = 0; q < price.length; q++) {
            gain += earnings(q, bestUse(q));
        }
        return gain;
    }

    private int useOf(int limit) {
        int sum = 0;
        for (int j = 0; j < favourite.length; j++) {
            sum += instance.use(j, favourite[j], limit);
        }
        return sum;
    }

    /**
     * Coordinate descent: sets each price in turn to where the preferred alternatives use about the most profitable
     * level, a few times.
     */
    private void sweep() {
        double high = 0;
        for (int a = 0; a < instance.size(); a++) {
            if (instance.slots(a) > 0) {
                high = Math.max(high, value[a] / instance.slots(a));
            }
        }
        double min = chooseFavourites();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int q = 0; q < price.length; q++) {
                double before = price[q];
                bisect(q, high);
                double now = chooseFavourites();
                if (now < min) {
                    min = now;
                } else {
                    price[q] = before;
                }
            }
        }
    }

    private void bisect(int q, double high) {
        double from = 0;
        double to = high;
        for (int step = 0; step < BISECTIONS; step++) {
            price[q] = (from + to) / 2;
            chooseFavourites();
            if (useOf(q) > bestUse(q)) {
                from = price[q];
            } else {
                to = price[q];
            }
        }
        price[q] = to;
    }

    /**
     * Subgradient steps whose target lies slightly below the best bound so far, by a decreasing amount (Polyak,
     * "Minimization of unsmooth functionals", 1969).
     */
    private void descend() {
        double[] best = price.clone();
        double min = chooseFavourites();
        double aim = 0.1 * meanGain();
        double smallest = 1e-4 * aim;
        int idle = 0;
        for (int step = 0; step < STEPS && aim > smallest; step++) {
            double now = chooseFavourites();
            if (now < min) {
                min = now;
                System.arraycopy(price, 0, best, 0, best.length);
                idle = 0;
            } else if (++idle > MAX_IDLE_STEPS) {
                aim /= 2;
                idle = 0;
                System.arraycopy(best, 0, price, 0, best.length);
                now = chooseFavourites();
            }
            if (!step(now - min + aim)) {
                break;
            }
        }
        System.arraycopy(best, 0, price, 0, best.length);
        bound = chooseFavourites();
    }

    /**
     * Takes a step that would lower the bound by {@code aim} if it were linear; returns false if the subgradient is 0.
     */
    private boolean step(double aim) {
        double[] slope = new double[price.length];
        int[] used = instance.useOf(favourite);
        Arrays.setAll(slope, q -> bestUse(q) - used[q]);
        double norm = Arrays.stream(slope).map(s -> s * s).sum();
        if (norm == 0) {
            return false;
        }
        for (int q = 0; q < price.length; q++) {
            price[q] = Math.max(0, price[q] - aim / norm * slope[q]);
        }
        return true;
    }
}

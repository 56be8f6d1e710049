package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.Arrays;
import java.util.Set;

/**
 * Step seconds as a sum of terms with coefficients of at least 0. The coefficients are fitted as logarithms: least
 * squares of the logarithmic errors without negative coefficients.
 */
final class SumFormula implements Formula {
    /** The factors of the coefficients for a shape. */
    @FunctionalInterface
    interface Terms {
        double[] of(StepShape shape);
    }

    private final String name;
    private final Set<SyncStrategy> strategies;
    private final Terms terms;
    /** Logarithm of the usual fraction of each term in a typical pass. */
    private final double[] shares;

    private final double[] deviations;
    /** Index of the term that counts samples. */
    private final int samples;

    private SumFormula(
            String name, Set<SyncStrategy> strategies, Terms terms, double[] shares, double[] deviations, int samples) {
        this.name = name;
        this.strategies = strategies;
        this.terms = terms;
        this.shares = shares.clone();
        this.deviations = deviations.clone();
        this.samples = samples;
    }

    /**
     * Returns the formula of workers that synchronously push to and pull from parameter servers: {@code samples per
     * worker, 1, workers / servers, workers, servers}. Source: Peng et al., Optimus, EuroSys '18.
     */
    static Formula optimus() {
        return new SumFormula(
                "optimus",
                Set.of(SyncStrategy.PARAMETER_SERVER),
                s -> new double[] {
                    s.perSlotBatch() * (s.accumulationSteps() + 1),
                    1,
                    s.slots() / s.aggregationSlots(),
                    s.slots(),
                    s.aggregationSlots()
                },
                new double[] {-0.5, -2, -1, -3, -4},
                new double[] {1, 1.5, 1.5, 1.5, 1.5},
                0);
    }

    /**
     * Returns the formula of a serial part, work per slot, tree reduction, and one-to-all communication: {@code 1,
     * samples per slot, log slots, slots}. Source: Venkataraman et al., Ernest, NSDI '16. It has no terms for nodes and
     * servers.
     */
    static Formula ernest() {
        return new SumFormula(
                "ernest",
                Set.of(SyncStrategy.ALL_REDUCE, SyncStrategy.PARAMETER_SERVER),
                s -> new double[] {
                    1, s.perSlotBatch() * (s.accumulationSteps() + 1), Math.log(s.slots()) / Math.log(2), s.slots() - 1
                },
                new double[] {-1.5, -0.5, -2, -4},
                new double[] {1.2, 0.7, 1.5, 1.5},
                1);
    }

    /**
     * Returns the formula of compute and ring reduction without overlap: {@code passes, samples per slot, 2 (k - 1) / k
     * within a node, the same across nodes, 2 (k - 1) latencies}. Source: Saxena et al., arXiv 2006.13878; terms of the
     * ring reconstructed.
     */
    static Formula saxena() {
        return new SumFormula(
                "saxena",
                Set.of(SyncStrategy.ALL_REDUCE),
                s -> {
                    double passes = s.accumulationSteps() + 1;
                    double ring = 2.0 * (s.slots() - 1) / s.slots();
                    return new double[] {
                        passes,
                        passes * s.perSlotBatch(),
                        s.nodes() == 1 ? ring : 0,
                        s.nodes() > 1 ? ring : 0,
                        2.0 * (s.slots() - 1)
                    };
                },
                new double[] {-1.5, -0.3, -2.5, -1.5, -5},
                new double[] {1.2, 0.7, 1.2, 1.2, 1.2},
                1);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean covers(SyncStrategy strategy) {
        return strategies.contains(strategy);
    }

    @Override
    public Gaussian usual(double seconds, double perSlotBatch) {
        double[] means = shares.clone();
        for (int i = 0; i < means.length; i++) {
            means[i] += Math.log(seconds) - (i == samples ? Math.log(perSlotBatch) : 0);
        }
        return Gaussian.independent(means, deviations);
    }

    @Override
    public double[] times() {
        double[] times = new double[shares.length];
        Arrays.fill(times, 1);
        return times;
    }

    @Override
    public double logSeconds(double[] parameters, StepShape shape) {
        double[] factors = terms.of(shape);
        double sum = 0;
        for (int i = 0; i < factors.length; i++) {
            sum += Math.exp(parameters[i]) * factors[i];
        }
        return Math.log(sum);
    }
}

package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** Arrival process of the jobs. */
public enum ArrivalProcess {
    /** Poisson process: independent exponential interarrival times. */
    POISSON {
        @Override
        double gap(RandomGenerator random) {
            return exponential(random);
        }
    },

    /**
     * Bursty process: most interarrival times are short, some are long. Hyperexponential with balanced means and a
     * squared coefficient of variation of 16. Source of the form: Feitelson, Workload Modeling for Computer Systems
     * Performance Evaluation, 2015.
     */
    BURSTY {
        @Override
        double gap(RandomGenerator random) {
            double shortPart = (1 + Math.sqrt((VARIATION - 1) / (VARIATION + 1))) / 2;
            boolean isShort = random.nextDouble() < shortPart;
            return exponential(random) / (2 * (isShort ? shortPart : 1 - shortPart));
        }
    };

    private static final double VARIATION = 16;

    /** Returns a random interarrival time with mean 1. */
    abstract double gap(RandomGenerator random);

    private static double exponential(RandomGenerator random) {
        return -Math.log(1 - random.nextDouble());
    }
}

package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** How jobs arrive. */
public enum ArrivalProcess {
    /** Independently of each other: exponential gaps. */
    POISSON {
        @Override
        double gap(RandomGenerator random) {
            return exponential(random);
        }
    },

    /**
     * In bursts: most gaps are short, some long. Hyperexponential with balanced means and a squared coefficient of
     * variation of 16. Source of the form: Feitelson, Workload Modeling for Computer Systems Performance Evaluation,
     * 2015.
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

    /** A gap between two arrivals, with mean 1. */
    abstract double gap(RandomGenerator random);

    private static double exponential(RandomGenerator random) {
        return -Math.log(1 - random.nextDouble());
    }
}

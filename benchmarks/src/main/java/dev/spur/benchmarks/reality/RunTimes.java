package dev.spur.benchmarks.reality;

import java.util.random.RandomGenerator;

/** Distribution of run times on the requested slots, relative to a scale of about the mean. */
enum RunTimes {
    /** Log-normal with a mean of 1 and a standard deviation of the logarithm of 1.5. */
    LOG_NORMAL {
        @Override
        double sample(RandomGenerator random) {
            return Math.exp(1.5 * random.nextGaussian() - 1.5 * 1.5 / 2);
        }
    },
    /**
     * Philly: 33 % below 5 min, 27 % to 30 min, 27 % to 2 h, 8 % to 10 h, 5 % longer, each log-uniform; the scale is 2
     * hours. Marginal distribution of the 82,247 jobs with accelerators (Jeon et al., ATC '19).
     */
    PHILLY {
        @Override
        double sample(RandomGenerator random) {
            return minutes(random, new double[] {0.33, 0.27, 0.27, 0.08, 0.05}) / 120;
        }
    },
    /**
     * OpenB: 43 % below 5 min, 32 % to 30 min, 17 % to 2 h, 6 % to 10 h, 2 % longer, each log-uniform; the scale is 1
     * hour. Marginal distribution of the 7,064 pods with accelerators in the default list (Alibaba, 2023).
     */
    OPENB {
        @Override
        double sample(RandomGenerator random) {
            return minutes(random, new double[] {0.43, 0.32, 0.17, 0.06, 0.02}) / 60;
        }
    },
    /**
     * Helios: log-normal with the median of 206 s and the mean of 6,652 s of the jobs with accelerators; the scale is
     * the mean (Hu et al., SC '21).
     */
    HELIOS {
        @Override
        double sample(RandomGenerator random) {
            double variance = 2 * Math.log(6_652.0 / 206);
            return Math.exp(Math.sqrt(variance) * random.nextGaussian() - variance / 2);
        }
    },
    /** All equal. */
    EQUAL {
        @Override
        double sample(RandomGenerator random) {
            return 1;
        }
    };

    /** Bounds of a run time relative to the scale: a replay of 40 jobs has room for no longer one. */
    private static final double SHORTEST = 0.02;

    private static final double LONGEST = 8;
    /** Bounds of the bins of the tables, minutes. */
    private static final double[] BINS = {1, 5, 30, 120, 600, 2880};

    abstract double sample(RandomGenerator random);

    /** Returns a random run time relative to the scale, from 0.02 to 8. */
    double draw(RandomGenerator random) {
        return Math.max(SHORTEST, Math.min(LONGEST, sample(random)));
    }

    private static double minutes(RandomGenerator random, double[] probabilities) {
        double point = random.nextDouble();
        int bin = 0;
        while (bin < probabilities.length - 1 && point >= probabilities[bin]) {
            point -= probabilities[bin++];
        }
        return BINS[bin] * Math.pow(BINS[bin + 1] / BINS[bin], random.nextDouble());
    }
}

package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** Distribution of the job run time on the requested slots. */
public enum DurationDistribution {
    /**
     * 80 % take 10^1.5 to 10^3 minutes, 20 % take 10^3 to 10^4, each log-uniform. Source: Narayanan et al., Gavel, OSDI
     * '20.
     */
    GAVEL {
        @Override
        double seconds(int slots, RandomGenerator random) {
            boolean isLong = random.nextDouble() < 0.2;
            double exponent = isLong ? between(3, 4, random) : between(1.5, 3, random);
            return 60 * Math.pow(10, exponent);
        }
    },

    /**
     * Log-normal distribution with a median of 206 s and a mean of 6,652 s, which Hu et al., Helios, SC '21, report for
     * jobs with accelerators.
     */
    HELIOS {
        @Override
        double seconds(int slots, RandomGenerator random) {
            double sigma = Math.sqrt(2 * Math.log(6_652.0 / 206));
            return Math.max(1, 206 * Math.exp(sigma * random.nextGaussian()));
        }
    },

    /**
     * 72 % need 0.1 to 1 accelerator-hours, 20 % need 1 to 10, 6 % need 10 to 100, 2 % need 100 to 1,000, each
     * log-uniform. These are the classes of Qiao et al., Pollux, OSDI '21. A job that requests more accelerators
     * completes sooner.
     */
    POLLUX {
        @Override
        double seconds(int slots, RandomGenerator random) {
            double which = random.nextDouble();
            double exponent = which < 0.72 ? -1 : which < 0.92 ? 0 : which < 0.98 ? 1 : 2;
            return 3600 * Math.pow(10, exponent + random.nextDouble()) / slots;
        }
    },

    /**
     * Two minutes to two hours, log-uniform below and above 800 s. 84 % of the jobs on up to 4 accelerators and 69 % of
     * the larger ones are below 800 s. Source: the bins of Gu et al., Tiresias, NSDI '19 (63.5 % small and short, 12.5
     * % small and long, 16.5 % large and short, 7.5 % large and long). The log-uniform form is an assumption.
     */
    TIRESIAS {
        @Override
        double seconds(int slots, RandomGenerator random) {
            double isShort = slots <= 4 ? 63.5 / (63.5 + 12.5) : 16.5 / (16.5 + 7.5);
            boolean drawnShort = random.nextDouble() < isShort;
            double exponent = drawnShort
                    ? between(Math.log(120), Math.log(800), random)
                    : between(Math.log(800), Math.log(7200), random);
            return Math.exp(exponent);
        }
    };

    /** Returns a random run time, s, above 0, of a job that requests {@code slots}. */
    abstract double seconds(int slots, RandomGenerator random);

    private static double between(double low, double high, RandomGenerator random) {
        return low + (high - low) * random.nextDouble();
    }
}

package dev.spur.benchmarks.reality;

/** Knowledge of the policies about the work of a job. */
enum WorkKnowledge {
    /** The true work. */
    KNOWN,
    /** An estimate by the user: the true work times a log-normal factor with median 1. */
    ESTIMATED,
    /** The same run time on the requested slots for all jobs: the mean of the population. */
    UNKNOWN;

    /**
     * Standard deviation of the logarithm of the factor of an estimate: two of three estimates are between 0.37 and 2.7
     * times the true work.
     */
    private static final double ERROR = 1;

    /**
     * Returns the work that policies assume divided by the true work.
     *
     * @param gaussian a standard normal value, different for each job
     * @param seconds true run time on the requested slots
     * @param meanSeconds mean run time of the population
     */
    double factor(double gaussian, double seconds, double meanSeconds) {
        return switch (this) {
            case KNOWN -> 1;
            case ESTIMATED -> Math.exp(ERROR * gaussian);
            case UNKNOWN -> meanSeconds / seconds;
        };
    }
}

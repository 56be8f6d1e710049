package dev.spur.solver.heuristic;

/**
 * Seed, temperatures and number of moves of an annealing search.
 *
 * @param seed seed of the random numbers
 * @param hottest first temperature, as a share of the mean objective value per job, above 0
 * @param coldest last temperature, likewise, above 0
 * @param maxMoves maximum number of moves, at least 1
 */
public record AnnealingSettings(long seed, double hottest, double coldest, long maxMoves) {
    /** Number of temperatures from the first to the last. */
    private static final int STAGES = 8;

    /**
     * Returns the temperature in a plan.
     *
     * @param unit mean objective value per job
     * @param progress share of the search that is over, at least 0
     */
    double temperature(double unit, double progress) {
        double stage = Math.floor(STAGES * progress) / (STAGES - 1);
        return unit * hottest * Math.pow(coldest / hottest, Math.min(1, stage));
    }
}

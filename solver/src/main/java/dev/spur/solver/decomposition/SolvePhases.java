package dev.spur.solver.decomposition;

/**
 * Budgets of the phases of a {@link Decomposition}, and the sizes at which methods change. All numbers are measured on
 * generated rounds with all constraints (docs/benchmarks/scaling.md).
 */
final class SolvePhases {
    /** Number of candidates up to which CP-SAT solves the whole program sooner than neighborhoods. */
    static final int SOLVED_AS_A_WHOLE = 3_000;
    /** Relative gap between bound and master at which column generation ends, as a share of the gap target. */
    static final double DUAL_GAP_SHARE = 0.1;

    static final double MIN_DUAL_GAP = 1e-7;
    static final int MAX_PASSES = 300;
    /** Share of the time that the dual leaves to the search for a plan. */
    static final double LEFT_BY_DUAL = 0.12;
    /** Share of the time that must be left for knapsacks to strengthen the bound: the plan needs less. */
    static final double LEFT_BY_KNAPSACKS = 0.3;
    /** Gap of a first plan from diving up to which neighborhoods improve it faster than annealing. */
    static final double ANNEALED_GAP = 0.005;
    /** First and last temperature of the annealing search, as a share of the mean objective value per job. */
    static final double HOTTEST = 0.3;

    static final double COLDEST = 0.01;
    /** Work units per move of the annealing search: one core makes 10,000 to 70,000 moves in a second. */
    static final double WORK_PER_MOVE = 1e-5;
    /** Seconds below which the annealing search gets all of the remaining time: neighborhoods need more. */
    private static final double ANNEALING_ONLY = 0.8;
    /** Share of the remaining time above that. */
    private static final double ANNEALING_SHARE = 0.4;
    /** The same share for rounds with many candidates, where a neighborhood is a small part of the plan. */
    private static final double LARGE_ANNEALING_SHARE = 0.5;

    /** Number of candidates from which a round counts as large: even the start of a search takes notable time. */
    static final int LARGE = 150_000;

    private static final double MAX_ANNEALING_SECONDS = 4;
    private static final double MAX_LARGE_ANNEALING_SECONDS = 8;

    /** Passes of column generation from the prices of the linear relaxation, whose last columns are rounded. */
    static final int DIVING_PASSES = 30;
    /** Seconds that must remain per candidate for column generation and diving to pay, and the most that must. */
    private static final double DIVING_SECONDS_PER_CANDIDATE = 2.6e-5;

    private static final double DIVING_SECONDS = 2.5;
    /** Seconds that must remain per squared number of candidates: passes become slower and more numerous. */
    private static final double DIVING_SECONDS_PER_SQUARE = 4e-11;
    /** Share of the remaining work or time after which CP-SAT lowers the bound in parallel with the neighborhoods. */
    static final double NEIGHBORHOODS_SHARE = 0.4;

    /** Share of the remaining time that column generation may use. */
    static final double COLUMN_GENERATION_SHARE = 0.4;

    private SolvePhases() {}

    /** Returns whether column generation and diving give a better plan than one evaluation of the knapsacks. */
    static boolean divingPays(double secondsLeft, int candidates) {
        double square = (double) candidates * candidates;
        double seconds = Math.min(DIVING_SECONDS, DIVING_SECONDS_PER_CANDIDATE * candidates);
        return secondsLeft > Math.max(seconds, DIVING_SECONDS_PER_SQUARE * square);
    }

    /** Returns the share of the annealing search in the remaining work. */
    static double annealingShare(int candidates) {
        return candidates > LARGE ? LARGE_ANNEALING_SHARE : ANNEALING_SHARE;
    }

    /** Returns the time limit of the annealing search, seconds, above 0. */
    static double annealingSeconds(double secondsLeft, int candidates) {
        if (secondsLeft <= ANNEALING_ONLY) {
            return Math.max(1e-3, secondsLeft);
        }
        double max = candidates > LARGE ? MAX_LARGE_ANNEALING_SECONDS : MAX_ANNEALING_SECONDS;
        return Math.max(ANNEALING_ONLY, Math.min(max, annealingShare(candidates) * secondsLeft));
    }
}

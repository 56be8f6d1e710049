package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Solution;
import java.util.List;

/**
 * What a round has settled on.
 *
 * @param placement where the jobs sit
 * @param solved true if the solver chose them, false if the fallback without a solver did
 * @param end how the solver ended
 * @param bound no plan is worth more
 * @param rows constraints that couple jobs
 */
record Outcome(Placement placement, boolean solved, Solution.End end, double bound, int rows) {

    /** The fallback, since the solver found nothing. */
    static Outcome withoutSolution(Placement fallback, Solution.End end, double bound, int rows) {
        return new Outcome(fallback, false, end, bound, rows);
    }

    /** The better of the solver's choice and the fallback; the fallback counts only if it meets all that is owed. */
    static Outcome better(
            CandidateSet candidates,
            List<Obligation> owed,
            Solution solution,
            Placement solved,
            int[] fallbackChoice,
            Placement fallback,
            double bound,
            int rows) {
        boolean fallbackMeetsAll = owed.stream()
                .allMatch(obligation -> obligation.candidates().contains(fallbackChoice[obligation.job()]));
        boolean fallbackIsBetter = fallbackMeetsAll && worth(candidates, fallback) > worth(candidates, solved);
        return fallbackIsBetter
                ? new Outcome(fallback, false, solution.end(), bound, rows)
                : new Outcome(solved, true, solution.end(), bound, rows);
    }

    private static double worth(CandidateSet candidates, Placement placement) {
        Valuation valuation = new Valuation(candidates.problem());
        return placement.allocations().entrySet().stream()
                .mapToDouble(entry -> valuation.worth(candidates.job(entry.getKey()), entry.getValue()))
                .sum();
    }
}

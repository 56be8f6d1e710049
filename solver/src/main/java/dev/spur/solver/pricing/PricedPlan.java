package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Steps;
import java.util.List;
import java.util.Map;

/**
 * A plan found by prices, with its proof.
 *
 * @param placement where the jobs sit
 * @param worth worth of the plan
 * @param bound no plan is worth more
 * @param proved true if the plan is proved best, up to rounding
 * @param prices by resource name, what the relaxation says that one more unit would be worth
 * @param rows rows that couple jobs
 */
public record PricedPlan(
        Placement placement, double worth, double bound, boolean proved, Map<String, Double> prices, int rows) {
    /** Relative gap between bound and mixture at which the search for prices ends, as a share of the gap target. */
    private static final double PRICE_SHARE = 0.1;

    private static final int MOST_PASSES = 300;

    public PricedPlan {
        prices = Map.copyOf(prices);
    }

    /**
     * Prices first, then a plan read off them, then the core where they leave the choice open.
     *
     * @param fallback a plan that is kept if nothing better is found
     * @param start prices of the last round by name
     */
    public static PricedPlan find(
            CandidateSet candidates,
            List<Obligation> owed,
            int[] fallback,
            Map<String, Double> start,
            double gapTarget,
            Effort effort,
            Steps steps) {
        CouplingRows rows = steps.time("rows", () -> CouplingRowsBuilder.build(candidates, owed));
        double target = Math.max(1e-7, gapTarget * PRICE_SHARE);
        Prices prices = steps.time(
                "prices", () -> PriceSearch.search(rows, candidates, start, target, MOST_PASSES, effort::isClockCut));
        Incumbent readOff = steps.time("incumbent", () -> Incumbent.readOff(candidates, rows, prices.byRow()));
        boolean better = meets(readOff.choice(), owed)
                && rows.restarts(readOff.choice()) <= rows.restartLimit()
                && worth(rows, readOff.choice()) >= worth(rows, fallback);
        int[] first = better ? readOff.choice() : fallback;
        Placement placement = better ? readOff.placement() : Placer.place(candidates, fallback);
        CoreSearch core = new CoreSearch(candidates, owed, rows, prices, first, placement, gapTarget, effort);
        steps.time("core", core::run);
        return new PricedPlan(
                core.placement(),
                core.worth(),
                core.bound(),
                core.isProved(),
                prices.byName(rows),
                rows.rows().size());
    }

    private static boolean meets(int[] choice, List<Obligation> owed) {
        return owed.stream().allMatch(obligation -> obligation.candidates().contains(choice[obligation.job()]));
    }

    private static double worth(CouplingRows rows, int[] choice) {
        double sum = 0;
        for (int c : choice) {
            sum += c < 0 ? 0 : rows.worth(c);
        }
        return sum;
    }
}

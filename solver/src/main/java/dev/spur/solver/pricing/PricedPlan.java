package dev.spur.solver.pricing;

import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A plan found by prices, with its proof.
 *
 * @param placement where the jobs sit
 * @param worth worth of the plan
 * @param bound no plan is worth more
 * @param proved true if the plan is proved best, up to rounding
 * @param prices by resource name, what the relaxation says that one more unit would be worth
 * @param shadowPrices the prices of what people know, without words
 * @param memory prices by the name of the row, for the next round to start from
 * @param rows rows that couple jobs
 */
public record PricedPlan(
        Placement placement,
        double worth,
        double bound,
        boolean proved,
        Map<String, Double> prices,
        List<ShadowPrice> shadowPrices,
        Map<String, Double> memory,
        int rows) {
    /** Relative gap between bound and mixture at which the search for prices ends, as a share of the gap target. */
    private static final double PRICE_SHARE = 0.1;

    /** Share of the time after which the search for prices ends in any case: prices without a plan help nobody. */
    private static final double PRICE_TIME = 0.5;

    /** With no more candidates the whole program proves the best plan sooner than parts find it. */
    private static final int PROVED_AT_ONCE = 3_000;

    private static final int MOST_PASSES = 300;
    /** Blocks cost more time than single jobs, and gain less from the last passes. */
    private static final int MOST_FINE_PASSES = 60;

    public PricedPlan {
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
        memory = Map.copyOf(memory);
    }

    /**
     * Prices first, then a plan read off them, then the parts where the plan loses most, then the core that the prices leave
     * open.
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
        return new Search(candidates, owed, gapTarget, effort, steps).run(fallback, start);
    }

    /** A search on its way to a plan. */
    private static final class Search {
        private final CandidateSet candidates;
        private final List<Obligation> owed;
        private final double gapTarget;
        private final Effort effort;
        private final Steps steps;

        Search(CandidateSet candidates, List<Obligation> owed, double gapTarget, Effort effort, Steps steps) {
            this.candidates = candidates;
            this.owed = owed;
            this.gapTarget = gapTarget;
            this.effort = effort;
            this.steps = steps;
        }

        PricedPlan run(int[] fallback, Map<String, Double> start) {
            CouplingRows coarse = steps.time("rows", () -> CouplingRowsBuilder.coarse(candidates, owed));
            Prices first = prices(coarse, List.of(StartPrices.named(coarse, start)), MOST_PASSES);
            WorkingPlan plan = better(
                    coarse,
                    WorkingPlan.of(candidates, fallback),
                    readOff(coarse, first, first.settled().choice()));
            if (isGood(coarse, plan, first) || !coarse.couldBeFiner()) {
                return improved(coarse, first, plan, coarse, first);
            }
            CouplingRows fine = steps.time("rows", () -> CouplingRowsBuilder.fine(candidates, owed));
            List<double[]> starts = new ArrayList<>(List.of(StartPrices.derived(fine, coarse, first)));
            if (StartPrices.areKnown(fine, start)) {
                starts.add(StartPrices.named(fine, start));
            }
            Prices second = prices(fine, starts, MOST_FINE_PASSES);
            plan = better(fine, plan, readOff(fine, second, second.settled().choice()));
            plan = better(fine, plan, readOff(fine, second, second.rounded()));
            if (meetsAll(plan) && candidates.size() > PROVED_AT_ONCE) {
                NeighbourhoodSearch parts = new NeighbourhoodSearch(candidates, fine, second, plan, gapTarget, effort);
                steps.time("parts", parts::run);
            }
            return improved(fine, second, plan, coarse, first);
        }

        private Prices prices(CouplingRows rows, List<double[]> starts, int mostPasses) {
            double target = Math.max(1e-7, gapTarget * PRICE_SHARE);
            return steps.time(
                    "prices",
                    () -> PriceSearch.search(rows, starts, target, mostPasses, () -> effort.isClockPast(PRICE_TIME)));
        }

        private WorkingPlan readOff(CouplingRows rows, Prices prices, int[] wanted) {
            return steps.time("incumbent", () -> Incumbent.readOff(candidates, rows, prices, wanted));
        }

        /** {@code found} if it meets what is owed and is worth more than {@code known}, or the same where that owes something. */
        private WorkingPlan better(CouplingRows rows, WorkingPlan known, WorkingPlan found) {
            boolean better = meetsAll(found)
                    && rows.restarts(found.choice()) <= rows.restartLimit()
                    && (worth(rows, found) > worth(rows, known)
                            || (!meetsAll(known) && worth(rows, found) == worth(rows, known)));
            return better ? found : known;
        }

        private boolean isGood(CouplingRows rows, WorkingPlan plan, Prices prices) {
            return meetsAll(plan) && prices.bound() - worth(rows, plan) <= gapTarget * Math.abs(prices.bound());
        }

        private boolean meetsAll(WorkingPlan plan) {
            return owed.stream()
                    .allMatch(obligation -> obligation.candidates().contains(plan.choiceOf(obligation.job())));
        }

        /** The plan after the core has been searched; {@code named} prices have the names that users see. */
        private PricedPlan improved(
                CouplingRows rows, Prices prices, WorkingPlan plan, CouplingRows named, Prices namedPrices) {
            CoreSearch core =
                    new CoreSearch(candidates, owed, rows, prices, plan.choice(), plan.placement(), gapTarget, effort);
            steps.time("core", core::run);
            Map<String, Double> memory = new TreeMap<>(prices.byName(rows));
            memory.putAll(namedPrices.byName(named));
            return new PricedPlan(
                    core.placement(),
                    core.worth(),
                    core.bound(),
                    core.isProved(),
                    namedPrices.byName(named),
                    ShadowPrices.of(candidates, named, namedPrices),
                    memory,
                    rows.rows().size());
        }

        private static double worth(CouplingRows rows, WorkingPlan plan) {
            double sum = 0;
            for (int c : plan.choice()) {
                sum += c < 0 ? 0 : rows.worth(c);
            }
            return sum;
        }
    }
}

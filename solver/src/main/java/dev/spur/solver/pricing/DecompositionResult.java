package dev.spur.solver.pricing;

import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.StepTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;

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
public record DecompositionResult(
        PlacementResult placement,
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
    private static final double PRICE_TIME = 0.75;
    /**
     * The same gap before patterns, and for patterns before tenants: what follows proves far more than the last digits
     * would.
     */
    private static final double ROUGH_PRICES = 2e-4;
    /**
     * The same gap for the first search once {@link #ROUGH_TIME} is over: finer rows at rough prices are better than
     * none.
     */
    private static final double ROUGHEST_PRICES = 2e-2;

    /**
     * Passes after which the first search ends once {@link #ROUGH_TIME} is over: rows that fit badly do not settle in
     * many more.
     */
    private static final int ROUGH_PASSES = 40;

    /** Share of the time that the first search may take to settle. */
    private static final double ROUGH_TIME = 0.25;
    /** Share of the time after which no finer rows are stated any more: their search needs what is left of its own. */
    private static final double FINER_TIME = 0.5;
    /** What follows the search for prices takes so many times as long as reading off a plan. */
    private static final double AFTER_PRICES = 4;

    /** With no more candidates the whole program proves the best plan sooner than parts find it. */
    private static final int PROVED_AT_ONCE = 3_000;

    private static final int MOST_PASSES = 300;
    /** Blocks cost more time than single jobs, and gain less from the last passes. */
    private static final int MOST_FINE_PASSES = 60;

    public DecompositionResult {
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
        memory = Map.copyOf(memory);
    }

    /**
     * Prices first, then a plan read off them, then the parts where the plan loses most, then the core that the prices
     * leave open.
     *
     * @param fallback a plan that is kept if nothing better is found
     * @param start prices of the last round by name
     */
    public static DecompositionResult find(
            CandidateSet candidates,
            List<Obligation> commitments,
            PartialPlacement fallback,
            Map<String, Double> start,
            double gapTarget,
            RemainingBudget effort,
            StepTimer steps) {
        return new DecompositionRun(candidates, commitments, gapTarget, effort, steps).run(fallback, start);
    }

    /** A search on its way to a plan. */
    private static final class DecompositionRun {
        private final CandidateSet candidates;
        private final List<Obligation> commitments;
        private final double gapTarget;
        private final RemainingBudget effort;
        private final StepTimer steps;
        private double readOffSeconds;

        DecompositionRun(
                CandidateSet candidates,
                List<Obligation> commitments,
                double gapTarget,
                RemainingBudget effort,
                StepTimer steps) {
            this.candidates = candidates;
            this.commitments = commitments;
            this.gapTarget = gapTarget;
            this.effort = effort;
            this.steps = steps;
        }

        DecompositionResult run(PartialPlacement fallback, Map<String, Double> start) {
            CouplingConstraints coarse = rows(RelaxationLevel.SUMS);
            List<RelaxationLevel> finerDetails = coarse.finerDetails();
            double unhurried = finerDetails.contains(RelaxationLevel.PATTERNS) ? ROUGH_PRICES : settled();
            IntToDoubleFunction hurried = passes -> hurried(passes, unhurried);
            DualSolution first = prices(
                    coarse,
                    List.of(WarmStartDuals.remembered(coarse, start)),
                    MOST_PASSES,
                    finerDetails.isEmpty() ? passes -> settled() : hurried);
            PartialSolution plan = better(
                    coarse,
                    PartialSolution.of(candidates, fallback),
                    readOff(coarse, first, first.settled().choice()));
            CouplingConstraints rows = coarse;
            DualSolution prices = first;
            for (RelaxationLevel detail : finerDetails) {
                if (isGood(rows, plan, prices) || effort.isClockPast(FINER_TIME)) {
                    break;
                }
                CouplingConstraints finer = rows(detail);
                boolean last = detail == finerDetails.get(finerDetails.size() - 1);
                prices = prices(
                        finer,
                        starts(finer, rows, prices, start),
                        MOST_FINE_PASSES,
                        passes -> last ? settled() : ROUGH_PRICES);
                rows = finer;
                plan = better(rows, plan, readOff(rows, prices, prices.rounded()));
                if (!effort.isShortOf(readOffSeconds)) {
                    plan = better(
                            rows, plan, readOff(rows, prices, prices.settled().choice()));
                }
            }
            return improved(decided(rows, prices, plan), rows, prices, coarse, first);
        }

        /**
         * Parts first, then a core for little work; if that brings nothing, harder parts. What is left is for the core.
         */
        private CoreProblem decided(CouplingConstraints rows, DualSolution prices, PartialSolution plan) {
            if (!meetsAll(plan) || candidates.size() <= PROVED_AT_ONCE) {
                return core(rows, prices, plan);
            }
            LargeNeighborhoodSearch parts =
                    new LargeNeighborhoodSearch(candidates, rows, prices, plan, gapTarget, effort);
            steps.time("parts", parts::run);
            CoreProblem core = core(rows, prices, plan);
            if (!effort.isLeft() || steps.time("core", core::tryOut)) {
                return core;
            }
            steps.time("parts", parts::runHarder);
            return core(rows, prices, plan);
        }

        /** The gap at which the first search may end, {@code unhurried} while there is time. */
        private double hurried(int passes, double unhurried) {
            if (!effort.isClockPast(ROUGH_TIME)) {
                return unhurried;
            }
            return passes < ROUGH_PASSES ? ROUGHEST_PRICES : Double.POSITIVE_INFINITY;
        }

        /** What the prices of less fine rows say, and those of the last round. */
        private static List<double[]> starts(
                CouplingConstraints finer, CouplingConstraints rows, DualSolution prices, Map<String, Double> start) {
            List<double[]> starts = new ArrayList<>(List.of(WarmStartDuals.derived(finer, rows, prices)));
            if (WarmStartDuals.areKnown(finer, start)) {
                starts.add(WarmStartDuals.named(finer, start));
            }
            return starts;
        }

        private CouplingConstraints rows(RelaxationLevel detail) {
            return steps.time("rows", () -> CouplingConstraintsBuilder.of(candidates, commitments, detail));
        }

        private double settled() {
            return Math.max(1e-7, gapTarget * PRICE_SHARE);
        }

        private DualSolution prices(
                CouplingConstraints rows, List<double[]> starts, int mostPasses, IntToDoubleFunction target) {
            // rounding and reading off take several times as long as reading off has taken before
            BooleanSupplier stop =
                    () -> effort.isClockPast(PRICE_TIME) || effort.isShortOf(AFTER_PRICES * readOffSeconds);
            return steps.time("prices", () -> ColumnGeneration.search(rows, starts, target, mostPasses, stop));
        }

        private PartialSolution readOff(CouplingConstraints rows, DualSolution prices, int[] wanted) {
            double before = steps.seconds();
            PartialSolution found =
                    steps.time("incumbent", () -> LagrangianHeuristic.readOff(candidates, rows, prices, wanted));
            readOffSeconds = Math.max(readOffSeconds, steps.seconds() - before);
            return found;
        }

        /**
         * {@code found} if it meets what is commitments and is worth more than {@code known}, or the same where that
         * owes something.
         */
        private PartialSolution better(CouplingConstraints rows, PartialSolution known, PartialSolution found) {
            boolean better = meetsAll(found)
                    && rows.restarts(found.choice()) <= rows.restartLimit()
                    && (worth(rows, found) > worth(rows, known)
                            || (!meetsAll(known) && worth(rows, found) == worth(rows, known)));
            return better ? found : known;
        }

        private boolean isGood(CouplingConstraints rows, PartialSolution plan, DualSolution prices) {
            return meetsAll(plan) && prices.bound() - worth(rows, plan) <= gapTarget * Math.abs(prices.bound());
        }

        private boolean meetsAll(PartialSolution plan) {
            return commitments.stream()
                    .allMatch(obligation -> obligation.candidates().contains(plan.choiceOf(obligation.job())));
        }

        /** The plan after the core has been searched; {@code named} prices have the names that users see. */
        private DecompositionResult improved(
                CoreProblem core,
                CouplingConstraints rows,
                DualSolution prices,
                CouplingConstraints named,
                DualSolution namedPrices) {
            steps.time("core", core::run);
            Map<String, Double> memory = new TreeMap<>(prices.byName(rows));
            memory.putAll(namedPrices.byName(named));
            return new DecompositionResult(
                    core.placement(),
                    core.worth(),
                    core.bound(),
                    core.isProved(),
                    namedPrices.byName(named),
                    ShadowPrices.of(candidates, named, namedPrices),
                    memory,
                    rows.rows().size());
        }

        private CoreProblem core(CouplingConstraints rows, DualSolution prices, PartialSolution plan) {
            PlacementResult placement = steps.time("place", plan::placement);
            return new CoreProblem(candidates, commitments, rows, prices, plan.choice(), placement, gapTarget, effort);
        }

        private static double worth(CouplingConstraints rows, PartialSolution plan) {
            double sum = 0;
            for (int c : plan.choice()) {
                sum += c < 0 ? 0 : rows.worth(c);
            }
            return sum;
        }
    }
}

package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.constraint.DualPrice;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.StepTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;

/**
 * Result of the decomposition: a plan with its dual bound.
 *
 * @param placement placement of the jobs
 * @param worth objective value of the plan
 * @param bound dual bound: upper bound on the objective value of every plan
 * @param proved whether the plan is proved optimal, up to rounding
 * @param prices by resource, the change of the dual bound per further unit
 * @param shadowPrices prices of the resources that the plan reports
 * @param memory prices by resource, from which the next round starts
 * @param rows number of coupling constraints
 */
public record DecompositionResult(
        PlacementResult placement,
        double worth,
        double bound,
        boolean proved,
        Map<ResourceKey, Double> prices,
        List<DualPrice> shadowPrices,
        Map<ResourceKey, Double> memory,
        int rows) {
    /** Relative gap between bound and master at which column generation ends, as a share of the gap target. */
    private static final double PRICE_SHARE = 0.1;

    /** Share of the time after which column generation ends in any case, so that time for a plan is left. */
    private static final double PRICE_TIME = 0.75;
    /**
     * The same gap before patterns, and with patterns before tenant knapsacks: the next level lowers the bound far more
     * than further passes would.
     */
    private static final double ROUGH_PRICES = 2e-4;
    /**
     * The same gap for the first level once {@link #ROUGH_TIME} is over: finer rows at inexact prices are better than
     * no finer rows.
     */
    private static final double ROUGHEST_PRICES = 2e-2;

    /**
     * Number of passes after which the first level ends once {@link #ROUGH_TIME} is over: coarse rows do not converge
     * in many more.
     */
    private static final int ROUGH_PASSES = 40;

    /** Share of the time that the first level may use for convergence. */
    private static final double ROUGH_TIME = 0.25;
    /** Share of the time after which no finer level begins, because its search needs most of the remaining time. */
    private static final double FINER_TIME = 0.5;
    /** Estimated time from column generation to a plan, as a multiple of the time of the Lagrangian heuristic. */
    private static final double AFTER_PRICES = 4;

    /** Number of candidates up to which the whole program is solved sooner than neighborhoods. */
    private static final int PROVED_AT_ONCE = 3_000;

    private static final int MOST_PASSES = 300;
    /**
     * Maximum number of passes with subproblems of several jobs: they cost more time than single jobs, and improve less
     * in the last passes.
     */
    private static final int MOST_FINE_PASSES = 60;

    public DecompositionResult {
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
        memory = Map.copyOf(memory);
    }

    /**
     * Finds a plan: prices first, then an incumbent, then large neighborhood search where the plan loses most, then the
     * core problem.
     *
     * @param fallback plan that is kept if no better one is found
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

    /** State of one decomposition. */
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
         * Searches neighborhoods, then solves a trial core with little work. If the trial does not improve the plan,
         * larger neighborhoods follow. The core problem gets the remaining work.
         */
        private CoreProblem decided(CouplingConstraints rows, DualSolution prices, PartialSolution plan) {
            if (!meetsAll(plan) || candidates.size() <= PROVED_AT_ONCE) {
                return core(rows, prices, plan);
            }
            LargeNeighborhoodSearch parts =
                    new LargeNeighborhoodSearch(candidates, rows, prices, plan, gapTarget, effort);
            steps.time("neighborhoods", parts::run);
            CoreProblem core = core(rows, prices, plan);
            if (!effort.isLeft() || steps.time("core", core::tryOut)) {
                return core;
            }
            steps.time("neighborhoods", parts::runHarder);
            return core(rows, prices, plan);
        }

        /** Returns the gap at which the first level may end; {@code unhurried} before {@link #ROUGH_TIME}. */
        private double hurried(int passes, double unhurried) {
            if (!effort.isClockPast(ROUGH_TIME)) {
                return unhurried;
            }
            return passes < ROUGH_PASSES ? ROUGHEST_PRICES : Double.POSITIVE_INFINITY;
        }

        /** Returns the start prices of a finer level: derived from the coarser rows, and those of the last round. */
        private static List<double[]> starts(
                CouplingConstraints finer, CouplingConstraints rows, DualSolution prices, Map<String, Double> start) {
            List<double[]> starts = new ArrayList<>(List.of(WarmStartDuals.derived(finer, rows, prices)));
            if (WarmStartDuals.areKnown(finer, start)) {
                starts.add(WarmStartDuals.named(finer, start));
            }
            return starts;
        }

        private CouplingConstraints rows(RelaxationLevel detail) {
            return steps.time("constraints", () -> CouplingConstraintsBuilder.of(candidates, commitments, detail));
        }

        private double settled() {
            return Math.max(1e-7, gapTarget * PRICE_SHARE);
        }

        private DualSolution prices(
                CouplingConstraints rows, List<double[]> starts, int mostPasses, IntToDoubleFunction target) {
            // Rounding and the Lagrangian heuristic take several times the longest duration of the heuristic so far.
            BooleanSupplier stop =
                    () -> effort.isClockPast(PRICE_TIME) || effort.isShortOf(AFTER_PRICES * readOffSeconds);
            return steps.time("dual", () -> ColumnGeneration.search(rows, starts, target, mostPasses, stop));
        }

        private PartialSolution readOff(CouplingConstraints rows, DualSolution prices, int[] wanted) {
            double before = steps.seconds();
            PartialSolution found =
                    steps.time("heuristic", () -> LagrangianHeuristic.readOff(candidates, rows, prices, wanted));
            readOffSeconds = Math.max(readOffSeconds, steps.seconds() - before);
            return found;
        }

        /**
         * Returns {@code found} if it satisfies the hard commitments and has a higher objective value than
         * {@code known}, or an equal one where {@code known} violates a commitment; otherwise {@code known}.
         */
        private PartialSolution better(CouplingConstraints rows, PartialSolution known, PartialSolution found) {
            boolean better = meetsAll(found)
                    && rows.restarts().restarts(found.choice())
                            <= rows.restarts().limit()
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

        /** Returns the plan after the core problem; {@code named} has the row names that users see. */
        private DecompositionResult improved(
                CoreProblem core,
                CouplingConstraints rows,
                DualSolution prices,
                CouplingConstraints named,
                DualSolution namedPrices) {
            steps.time("core", core::run);
            Map<ResourceKey, Double> memory = new HashMap<>(prices.byResource(rows));
            memory.putAll(namedPrices.byResource(named));
            return new DecompositionResult(
                    core.placement(),
                    core.worth(),
                    core.bound(),
                    core.isProved(),
                    namedPrices.byResource(named),
                    ShadowPrices.of(candidates, named, namedPrices),
                    memory,
                    rows.rows().size());
        }

        private CoreProblem core(CouplingConstraints rows, DualSolution prices, PartialSolution plan) {
            PlacementResult placement = steps.time("placement", plan::placement);
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

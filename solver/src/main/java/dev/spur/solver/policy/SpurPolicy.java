package dev.spur.solver.policy;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spur's own policy. Hard commitments come first: the guaranteed deadlines, starving jobs and requested deadlines that
 * can be served together. Under them a solver maximizes the objective value and computes a bound.
 */
final class SpurPolicy implements Policy {
    /** Relative tolerance for equal values of a class. */
    private static final double MAX_LOSS = 1e-6;

    private final String name;
    private final Solver solver;

    SpurPolicy(String name, Solver solver) {
        this.name = name;
        this.solver = solver;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return new Round(problem).decide();
    }

    /** State of one round. */
    private final class Round {
        private final StepTimer steps = new StepTimer();
        private final CandidateSet candidates;
        private final RemainingBudget budget;

        Round(RoundProblem problem) {
            this.budget = new RemainingBudget(problem.settings().budget(), steps::seconds);
            this.candidates = steps.time("candidates", () -> CandidateGenerator.generate(problem));
        }

        Decision decide() {
            List<Integer> classes = ClassRoles.withChoice(candidates);
            if (classes.size() > 1) {
                return decideByClass(classes);
            }
            OverdueJobs overdue = steps.time("obligations", () -> new OverdueJobs(candidates));
            List<Obligation> obligations = steps.time("obligations", () -> selectObligations(candidates, overdue));
            StarvationReservation starvationReservation = overdue.reservation();
            if (starvationReservation != null) {
                CandidateSet remaining = steps.time(
                        "candidates",
                        () -> CandidateGenerator.reserving(candidates, starvationReservation.startByNode()));
                List<Obligation> remainingCommitments =
                        steps.time("obligations", () -> selectObligations(remaining, new OverdueJobs(remaining)));
                if (overdue.isReservationSafe(obligations, remainingCommitments)) {
                    return decide(remaining, remainingCommitments, starvationReservation);
                }
            }
            return decide(candidates, obligations, null);
        }

        /**
         * Decides the classes one by one. Nodes are reserved for a starving job if this costs no higher class anything.
         */
        private Decision decideByClass(List<Integer> classes) {
            budget.beginSolving();
            ClassLoop loop = new ClassLoop(solver, candidates, classes, budget, steps);
            SolveResult result = loop.solve();
            OverdueJobs overdue = new OverdueJobs(candidates);
            StarvationReservation starvationReservation = overdue.reservation();
            if (starvationReservation != null) {
                CandidateSet remaining = steps.time(
                        "candidates",
                        () -> CandidateGenerator.reserving(candidates, starvationReservation.startByNode()));
                ClassLoop second = new ClassLoop(solver, remaining, classes, budget, steps);
                SolveResult reserved = second.solve();
                if (overdue.isReservationSafe(loop.commitments(), second.commitments())
                        && costsNothing(
                                candidates
                                        .job(starvationReservation.job())
                                        .spec()
                                        .priority(),
                                loop,
                                second)) {
                    return decision(remaining, reserved, starvationReservation);
                }
            }
            return decision(candidates, result, null);
        }

        /** Returns whether each class above {@code priority} has the same value in both loops. */
        private static boolean costsNothing(int priority, ClassLoop before, ClassLoop after) {
            Map<Integer, Double> values = after.valuesAbove(priority);
            return before.valuesAbove(priority).entrySet().stream()
                    .allMatch(entry -> values.getOrDefault(entry.getKey(), 0.0)
                            >= entry.getValue() - MAX_LOSS * Math.max(1, Math.abs(entry.getValue())));
        }

        /** Returns the decision over the candidates {@code offeredCandidates}; reasons consider all candidates. */
        private Decision decide(
                CandidateSet offeredCandidates,
                List<Obligation> obligations,
                @Nullable StarvationReservation starvationReservation) {
            PartialPlacement filledPlacement = steps.time("greedy", () -> GreedyFill.fill(offeredCandidates));
            budget.beginSolving();
            SolveResult result = solve(offeredCandidates, obligations, filledPlacement);
            return decision(offeredCandidates, result, starvationReservation);
        }

        private Decision decision(
                CandidateSet offeredCandidates,
                SolveResult result,
                @Nullable StarvationReservation starvationReservation) {
            PlanWriter writer =
                    new PlanWriter(candidates, offeredCandidates, result, budget.spentWork(), starvationReservation);
            return new SpurDecision(candidates, result, writer, steps);
        }

        /**
         * Commitments are selected without placement. If they have no placement together, the guaranteed deadlines and
         * those that the plan meets count; then the guaranteed ones alone; at last only those that a plan meets.
         */
        private SolveResult solve(
                CandidateSet offeredCandidates, List<Obligation> obligations, PartialPlacement filledPlacement) {
            SolveResult first = solver.solve(offeredCandidates, obligations, filledPlacement, budget, steps);
            if (first.meets(offeredCandidates, obligations)) {
                return first;
            }
            List<Obligation> guaranteedOrMet = obligations.stream()
                    .filter(obligation -> isGuaranteed(offeredCandidates, obligation)
                            || first.meets(offeredCandidates, List.of(obligation)))
                    .toList();
            SolveResult second = solveFewer(offeredCandidates, guaranteedOrMet, obligations, first);
            if (second.meets(offeredCandidates, guaranteedOrMet)) {
                return second;
            }
            List<Obligation> guaranteed = guaranteedOrMet.stream()
                    .filter(obligation -> isGuaranteed(offeredCandidates, obligation))
                    .toList();
            SolveResult third = solveFewer(offeredCandidates, guaranteed, guaranteedOrMet, second);
            return third.meets(offeredCandidates, guaranteed)
                    ? third
                    : solve(offeredCandidates, third.met(offeredCandidates, obligations), third);
        }

        /** Solves the program with {@code fewer} of the commitments of {@code result}, unless these are all of them. */
        private SolveResult solveFewer(
                CandidateSet offeredCandidates, List<Obligation> fewer, List<Obligation> all, SolveResult result) {
            return fewer.size() == all.size() ? result : solve(offeredCandidates, fewer, result);
        }

        private static boolean isGuaranteed(CandidateSet offeredCandidates, Obligation obligation) {
            return offeredCandidates.job(obligation.job()).deadlineStatus() == DeadlineStatus.GUARANTEED;
        }

        /** Solves the program again, from the plan of {@code result}. */
        private SolveResult solve(CandidateSet offeredCandidates, List<Obligation> obligations, SolveResult result) {
            PartialPlacement startPlacement =
                    StandingPlan.of(offeredCandidates, result.placement()).partialPlacement();
            return solver.solve(offeredCandidates, obligations, startPlacement, budget, steps);
        }

        private List<Obligation> selectObligations(CandidateSet offeredCandidates, OverdueJobs overdue) {
            return new CommitmentSelection(offeredCandidates, overdue, budget).select(List.of(), j -> true);
        }
    }
}

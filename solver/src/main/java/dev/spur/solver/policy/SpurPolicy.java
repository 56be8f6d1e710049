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
    private final Solver method;

    SpurPolicy(String name, Solver method) {
        this.name = name;
        this.method = method;
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
        private final RoundProblem problem;
        private final CandidateSet candidates;
        private final RemainingBudget effort;

        Round(RoundProblem problem) {
            this.problem = problem;
            this.effort = new RemainingBudget(problem.settings().budget(), steps::seconds);
            this.candidates = steps.time("candidates", () -> CandidateGenerator.generate(problem));
        }

        Decision decide() {
            List<Integer> classes = ClassRoles.withChoice(candidates);
            if (classes.size() > 1) {
                return decideByClass(classes);
            }
            List<Obligation> commitments = steps.time("obligations", () -> selectObligations(candidates));
            OverdueJobs overdue = new OverdueJobs(candidates);
            StarvationReservation turn = overdue.reservation();
            if (turn != null) {
                CandidateSet remaining =
                        steps.time("candidates", () -> CandidateGenerator.generate(problem, turn.startByNode()));
                List<Obligation> remainingCommitments = steps.time("obligations", () -> selectObligations(remaining));
                if (overdue.isReservationSafe(commitments, remainingCommitments)) {
                    return decide(remaining, remainingCommitments, turn);
                }
            }
            return decide(candidates, commitments, null);
        }

        /**
         * Decides the classes one by one. Nodes are reserved for a starving job if this costs no higher class anything.
         */
        private Decision decideByClass(List<Integer> classes) {
            effort.beginSolving();
            ClassLoop loop = new ClassLoop(method, candidates, classes, effort, steps);
            SolveResult outcome = loop.solve();
            OverdueJobs overdue = new OverdueJobs(candidates);
            StarvationReservation turn = overdue.reservation();
            if (turn != null) {
                CandidateSet remaining =
                        steps.time("candidates", () -> CandidateGenerator.generate(problem, turn.startByNode()));
                ClassLoop second = new ClassLoop(method, remaining, classes, effort, steps);
                SolveResult reserved = second.solve();
                if (overdue.isReservationSafe(loop.commitments(), second.commitments())
                        && costsNothing(candidates.job(turn.job()).spec().priority(), loop, second)) {
                    return decision(remaining, reserved, turn);
                }
            }
            return decision(candidates, outcome, null);
        }

        /** Returns whether each class above {@code priority} has the same value in both loops. */
        private static boolean costsNothing(int priority, ClassLoop before, ClassLoop after) {
            Map<Integer, Double> values = after.valuesAbove(priority);
            return before.valuesAbove(priority).entrySet().stream()
                    .allMatch(entry -> values.getOrDefault(entry.getKey(), 0.0)
                            >= entry.getValue() - MAX_LOSS * Math.max(1, Math.abs(entry.getValue())));
        }

        /** Returns the decision over the candidates {@code offered}; reasons consider all candidates. */
        private Decision decide(
                CandidateSet offered, List<Obligation> commitments, @Nullable StarvationReservation turn) {
            PartialPlacement filled = steps.time("greedy", () -> GreedyFill.fill(offered));
            effort.beginSolving();
            SolveResult outcome = solve(offered, commitments, filled);
            return decision(offered, outcome, turn);
        }

        private Decision decision(CandidateSet offered, SolveResult outcome, @Nullable StarvationReservation turn) {
            PlanWriter writer = new PlanWriter(candidates, offered, outcome, effort.spentWork(), turn);
            return new SpurDecision(candidates, outcome, writer, steps);
        }

        /**
         * Commitments are selected without placement. If they have no placement, only guaranteed deadlines are kept, or
         * none.
         */
        private SolveResult solve(CandidateSet offered, List<Obligation> commitments, PartialPlacement filled) {
            SolveResult outcome = method.solve(offered, commitments, filled, effort, steps);
            if (outcome.meets(offered, commitments)) {
                return outcome;
            }
            List<Obligation> guaranteed = commitments.stream()
                    .filter(obligation -> offered.job(obligation.job()).deadlineStatus() == DeadlineStatus.GUARANTEED)
                    .toList();
            outcome = method.solve(offered, guaranteed, filled, effort, steps);
            return outcome.meets(offered, guaranteed)
                    ? outcome
                    : method.solve(offered, List.of(), filled, effort, steps);
        }

        private List<Obligation> selectObligations(CandidateSet offered) {
            return new CommitmentSelection(offered, effort).select(List.of(), j -> true);
        }
    }
}

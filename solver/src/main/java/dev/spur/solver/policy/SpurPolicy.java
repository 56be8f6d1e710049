package dev.spur.solver.policy;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Spur's own policy. Hard commitments come first: the guaranteed deadlines, starving jobs and requested deadlines that
 * can be served together. Under them a solver maximizes the objective value and computes a bound.
 */
final class SpurPolicy implements Policy {
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

        /** Returns the decision over the candidates {@code offered}; reasons consider all candidates. */
        private Decision decide(
                CandidateSet offered, List<Obligation> commitments, @Nullable StarvationReservation turn) {
            PartialPlacement filled = steps.time("greedy", () -> GreedyFill.fill(offered));
            effort.beginSolving();
            SolveResult outcome = solve(offered, commitments, filled);
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

        /**
         * Returns the commitments that can be met together, in lexicographic order; all guaranteed ones if possible.
         */
        private List<Obligation> selectObligations(CandidateSet offered) {
            List<Obligation> guaranteed = new ArrayList<>(Obligations.guaranteedDeadlines(offered));
            guaranteed.addAll(Obligations.stints(offered));
            List<Obligation> soft = Stream.concat(
                            new OverdueJobs(offered).starts().stream(),
                            Obligations.requestedDeadlines(offered).stream())
                    .limit(Obligations.MAX_WEIGHED)
                    .toList();
            if (guaranteed.isEmpty() && soft.isEmpty()) {
                return List.of();
            }
            List<Obligation> both = Stream.concat(guaranteed.stream(), soft.stream()).toList();
            if (Obligations.fitTogether(offered, both)) {
                return both;
            }
            List<Obligation> met = metTogether(offered, guaranteed, soft);
            if (met.isEmpty() && !guaranteed.isEmpty()) {
                int max = Math.min(guaranteed.size(), Obligations.MAX_WEIGHED);
                return metTogether(offered, List.of(), guaranteed.subList(0, max));
            }
            return met;
        }

        /** Returns {@code hard} and as many of {@code soft} as hold with them; none if {@code hard} does not hold. */
        private List<Obligation> metTogether(CandidateSet offered, List<Obligation> hard, List<Obligation> soft) {
            RoundProgram program = new RoundProgram(offered);
            program.obligationsAreMet(hard);
            program.maximizeObligationsMet(soft);
            Solution solution = CpSat.solve(program, effort.share(1), 0);
            effort.spend(solution.work());
            int[] choice = solution.choice();
            if (choice == null) {
                return List.of();
            }
            List<Obligation> met = new ArrayList<>(hard);
            soft.stream()
                    .filter(obligation -> obligation.candidates().contains(choice[obligation.job()]))
                    .forEach(met::add);
            return met;
        }
    }
}

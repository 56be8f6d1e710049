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
import dev.spur.solver.solve.StepTimer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spur's own policy. Obligations are settled first: which promised deadlines, overdue jobs and asked-for deadlines can
 * be served together. Under them a method looks for the plan that is worth most, and for the proof of how good it is.
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

    /** One round on its way to a decision. */
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
            List<Obligation> owed = steps.time("obligations", () -> settleObligations(candidates));
            StarvationReservation turn = StarvationReservationPlanner.next(candidates, owed);
            if (turn != null) {
                CandidateSet beside =
                        steps.time("candidates", () -> CandidateGenerator.generate(problem, turn.nodes()));
                List<Obligation> stillOwed = steps.time("obligations", () -> settleObligations(beside));
                if (StarvationReservationPlanner.spares(candidates, turn, owed, stillOwed)) {
                    return decide(beside, stillOwed, turn);
                }
            }
            return decide(candidates, owed, null);
        }

        /** The decision in which {@code offered} is chosen from; reasons are given with all candidates in mind. */
        private Decision decide(CandidateSet offered, List<Obligation> owed, @Nullable StarvationReservation turn) {
            PartialPlacement filled = steps.time("fill", () -> GreedyFill.filled(offered));
            effort.beginSolving();
            SolveResult outcome = solve(offered, owed, filled);
            PlanWriter writer = new PlanWriter(candidates, offered, outcome, effort.spent(), turn);
            return new SpurDecision(candidates, outcome, writer, steps);
        }

        /**
         * Obligations are settled without looking for places; should there be none, promises are met alone, or nothing
         * is.
         */
        private SolveResult solve(CandidateSet offered, List<Obligation> owed, PartialPlacement filled) {
            SolveResult outcome = method.solve(offered, owed, filled, effort, steps);
            if (outcome.meets(offered, owed)) {
                return outcome;
            }
            List<Obligation> promised = owed.stream()
                    .filter(obligation -> offered.job(obligation.job()).deadlineStatus() == DeadlineStatus.GUARANTEED)
                    .toList();
            outcome = method.solve(offered, promised, filled, effort, steps);
            return outcome.meets(offered, promised) ? outcome : method.solve(offered, List.of(), filled, effort, steps);
        }

        /**
         * The obligations that can be met together, an earlier one before all later ones; all that are promised, if
         * they can.
         */
        private List<Obligation> settleObligations(CandidateSet offered) {
            List<Obligation> promised = Obligations.promised(offered);
            List<Obligation> hoped = Obligations.hoped(offered);
            if (promised.isEmpty() && hoped.isEmpty()) {
                return List.of();
            }
            List<Obligation> met = metTogether(offered, promised, hoped);
            if (met.isEmpty() && !promised.isEmpty()) {
                int most = Math.min(promised.size(), Obligations.MOST_WEIGHED);
                return metTogether(offered, List.of(), promised.subList(0, most));
            }
            return met;
        }

        /** {@code hard} and as many of {@code soft} as hold with them; nothing if {@code hard} does not hold. */
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

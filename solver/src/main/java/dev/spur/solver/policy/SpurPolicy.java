package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.List;

/**
 * Spur's own policy. Obligations are settled first: which promised deadlines, overdue jobs and asked-for deadlines can be
 * served together. Under them, the program of the round maximizes worth; what it chooses is placed, and sets of choices of
 * which it is proved that no placement holds them are cut off and the program solved again.
 */
final class SpurPolicy implements Policy {
    /** Solves of one round, the first included, while placements conflict. */
    private static final int MOST_SOLVES = 8;

    @Override
    public String name() {
        return "spur";
    }

    @Override
    public RoundPlan plan(RoundProblem problem) {
        return new Round(problem).plan();
    }

    /** One round on its way to a plan. */
    private static final class Round {
        private final RoundProblem problem;
        private final Steps steps = new Steps();
        private final CandidateSet candidates;
        private double workLeft;

        Round(RoundProblem problem) {
            this.problem = problem;
            this.workLeft = problem.settings().budget().work();
            this.candidates = steps.time("candidates", () -> CandidateGenerator.generate(problem));
        }

        RoundPlan plan() {
            int[] repaired = GreedyFill.repaired(candidates);
            int[] filled = steps.time("fill", () -> GreedyFill.filled(candidates));
            List<Obligation> owed = steps.time("obligations", this::settleObligations);
            Outcome outcome = solve(filled, owed);
            Placement lastPlan = Placer.place(candidates, repaired);
            return steps.finish(new PlanWriter(
                    candidates, outcome, lastPlan, problem.settings().budget().work() - workLeft));
        }

        /** The obligations that can be met together, an earlier one before all later ones; all that are promised, if they can. */
        private List<Obligation> settleObligations() {
            List<Obligation> promised = Obligations.promised(candidates);
            List<Obligation> hoped = Obligations.hoped(candidates);
            if (promised.isEmpty() && hoped.isEmpty()) {
                return List.of();
            }
            List<Obligation> met = metTogether(promised, hoped);
            if (met.isEmpty() && !promised.isEmpty()) {
                int most = Math.min(promised.size(), Obligations.MOST_WEIGHED);
                return metTogether(List.of(), promised.subList(0, most));
            }
            return met;
        }

        /** {@code hard} and as many of {@code soft} as hold with them; nothing if {@code hard} does not hold. */
        private List<Obligation> metTogether(List<Obligation> hard, List<Obligation> soft) {
            RoundProgram program = new RoundProgram(candidates);
            program.obligationsAreMet(hard);
            program.maximizeObligationsMet(soft);
            Solution solution = run(program, 0);
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

        private Outcome solve(int[] hint, List<Obligation> owed) {
            RoundProgram program = steps.time("program", () -> new RoundProgram(candidates));
            program.obligationsAreMet(owed);
            program.maximizeWorth();
            int[] start = hint;
            double bound = Double.POSITIVE_INFINITY;
            for (int solves = 1; ; solves++) {
                program.hint(start);
                Solution solution = steps.time(
                        "solve", () -> run(program, problem.settings().gapTarget()));
                bound = Math.min(bound, solution.bound());
                int[] choice = solution.choice();
                if (choice == null) {
                    return Outcome.withoutSolution(placed(hint), solution.end(), bound, program.rows());
                }
                Placement placement = placed(choice);
                if (placement.conflicts().isEmpty() || solves == MOST_SOLVES || workLeft <= 0) {
                    return Outcome.better(
                            candidates, owed, solution, placement, hint, placed(hint), bound, program.rows());
                }
                placement.conflicts().forEach(program::isNotPlacedTogether);
                start = choice;
            }
        }

        private Placement placed(int[] choice) {
            return steps.time("place", () -> Placer.place(candidates, choice));
        }

        private Solution run(RoundProgram program, double gapTarget) {
            SolveBudget whole = problem.settings().budget();
            double clockLeft = whole.wallSeconds() - steps.seconds();
            SolveBudget left =
                    new SolveBudget(Math.max(1e-3, workLeft), Math.max(1e-2, clockLeft), whole.workers(), whole.seed());
            Solution solution = CpSat.solve(program, candidates, left, gapTarget);
            workLeft -= solution.work();
            return solution;
        }
    }
}

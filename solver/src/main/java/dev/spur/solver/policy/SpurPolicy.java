package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.Steps;
import java.util.ArrayList;
import java.util.List;

/**
 * Spur's own policy. Obligations are settled first: which promised deadlines, overdue jobs and asked-for deadlines can be
 * served together. Under them a method looks for the plan that is worth most, and for the proof of how good it is.
 */
final class SpurPolicy implements Policy {
    private final String name;
    private final Method method;

    SpurPolicy(String name, Method method) {
        this.name = name;
        this.method = method;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RoundPlan plan(RoundProblem problem) {
        return new Round(problem).plan();
    }

    /** One round on its way to a plan. */
    private final class Round {
        private final Steps steps = new Steps();
        private final CandidateSet candidates;
        private final Effort effort;

        Round(RoundProblem problem) {
            this.effort = new Effort(problem.settings().budget(), steps::seconds);
            this.candidates = steps.time("candidates", () -> CandidateGenerator.generate(problem));
        }

        RoundPlan plan() {
            int[] repaired = GreedyFill.repaired(candidates);
            int[] filled = steps.time("fill", () -> GreedyFill.filled(candidates));
            List<Obligation> owed = steps.time("obligations", this::settleObligations);
            Outcome outcome = method.solve(candidates, owed, filled, effort, steps);
            Placement lastPlan = Placer.place(candidates, repaired);
            PlanWriter writer = new PlanWriter(candidates, outcome, lastPlan, effort.spent());
            RoundPlan plan = steps.time("explain", writer::write);
            return writer.withTimes(plan, steps.times());
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

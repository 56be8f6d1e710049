package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.Placement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.SeatedChoice;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.Steps;
import java.util.List;
import java.util.Map;

/** The plan that needs no solver, as it is: it proves nothing, and owes nobody more than fits by chance. */
final class FillOnly implements Method {
    @Override
    public Outcome solve(
            CandidateSet candidates, List<Obligation> owed, SeatedChoice filled, Effort effort, Steps steps) {
        Placement placement = steps.time("place", () -> Placer.place(candidates, filled));
        return new Outcome(
                placement,
                false,
                Solution.End.BUDGET_SPENT,
                Double.POSITIVE_INFINITY,
                0,
                Map.of(),
                List.of(),
                Map.of());
    }
}

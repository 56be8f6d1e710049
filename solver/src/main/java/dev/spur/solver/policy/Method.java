package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.SeatedChoice;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Steps;
import java.util.List;

/** A way to find the plan of a round that is worth most, and to prove how good it is. */
interface Method {
    /**
     * The best plan found within {@code effort}.
     *
     * @param owed obligations that hold together; every plan meets them
     * @param filled a plan that needs no solver, to start from and to fall back on
     */
    Outcome solve(CandidateSet candidates, List<Obligation> owed, SeatedChoice filled, Effort effort, Steps steps);
}

package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.SeatedChoice;
import dev.spur.solver.pricing.PricedPlan;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Effort;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.Steps;
import java.util.List;

/** Prices first, then a plan read off them, then the integer program for the jobs whose choice the prices leave open. */
final class PricesAndCore implements Method {
    @Override
    public Outcome solve(
            CandidateSet candidates, List<Obligation> owed, SeatedChoice filled, Effort effort, Steps steps) {
        double gapTarget = candidates.problem().settings().gapTarget();
        PricedPlan plan = PricedPlan.find(
                candidates, owed, filled, candidates.problem().memory().duals(), gapTarget, effort, steps);
        Outcome found = new Outcome(
                plan.placement(),
                true,
                end(plan, gapTarget, effort),
                plan.bound(),
                plan.rows(),
                plan.prices(),
                plan.shadowPrices(),
                plan.memory());
        return found.orFallback(candidates, owed, filled);
    }

    private static Solution.End end(PricedPlan plan, double gapTarget, Effort effort) {
        if (plan.proved()) {
            return Solution.End.OPTIMAL;
        }
        if (plan.bound() - plan.worth() <= gapTarget * Math.abs(plan.bound())) {
            return Solution.End.GAP_REACHED;
        }
        return effort.isClockCut() ? Solution.End.CLOCK_CUT : Solution.End.BUDGET_SPENT;
    }
}

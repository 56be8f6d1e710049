package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;

/**
 * Solver statistics of a round. Step times differ from run to run, all other values are deterministic.
 *
 * @param jobs jobs in the problem
 * @param candidates candidates after dominance, keeping an allocation included
 * @param couplingConstraints constraints that couple jobs
 * @param work deterministic work units spent
 * @param steps the steps in order, with their times
 * @param duals dual values by resource name, estimates from the relaxation per additional unit; empty if no relaxation
 *     was solved
 * @param shadowPrices shadow prices of the resources of the cluster, those that are not scarce included; empty if no
 *     relaxation was solved
 * @param idleSlots slots that the plan leaves idle, by pool, type and reason
 */
public record SolverStats(
        int jobs,
        int candidates,
        int couplingConstraints,
        double work,
        List<StepTime> steps,
        Map<String, Double> duals,
        List<ShadowPrice> shadowPrices,
        List<IdleSlots> idleSlots) {
    public SolverStats {
        steps = Checks.copy(steps);
        duals = Checks.copy(duals);
        shadowPrices = Checks.copy(shadowPrices);
        idleSlots = Checks.copy(idleSlots);
    }

    /** Returns these statistics with other steps. */
    public SolverStats withSteps(List<StepTime> other) {
        return new SolverStats(jobs, candidates, couplingConstraints, work, other, duals, shadowPrices, idleSlots);
    }
}

package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.StepTime;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Plans a round with a policy and measures it. */
public final class MeasurementRunner {
    private MeasurementRunner() {}

    /**
     * A plan and its measurement.
     *
     * @param measurement of the run that made the plan
     */
    public record Run(RoundPlan plan, Measurement measurement) {}

    /** Runs each policy once on a small round, so that the first measurement does not include JIT compilation. */
    public static void warmUp(Collection<Policy> policies, RoundSettings settings) {
        RoundProblem small = Cases.generate(new Size(200, 512), ConstraintSet.FULL, 0, settings)
                .problem();
        policies.forEach(policy -> policy.plan(small));
    }

    /**
     * Plans {@code problem} and validates the plan.
     *
     * @throws IllegalStateException if the plan validator rejects the plan
     */
    public static Run run(Policy policy, RoundProblem problem) {
        long start = System.nanoTime();
        RoundPlan plan = policy.plan(problem);
        long planned = System.nanoTime();
        List<Violation> violations = PlanCheck.violations(problem, plan);
        long validated = System.nanoTime();
        if (!violations.isEmpty()) {
            throw new IllegalStateException("The plan validator rejects the plan of %s: %s"
                    .formatted(policy.name(), violations.subList(0, Math.min(3, violations.size()))));
        }
        List<StepTime> steps = new ArrayList<>(plan.stats().steps());
        steps.add(new StepTime("validation", (validated - planned) / 1e6));
        return new Run(
                plan,
                new Measurement(
                        plan.stats().candidates(), (validated - start) / 1e9, PeakMemory.mib(), plan.quality(), steps));
    }
}

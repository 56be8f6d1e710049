package dev.spur.service.testing;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.function.Function;
import org.springframework.context.annotation.Primary;

/** A policy that tests can replace; greedy unless they do. */
@Primary
public final class SwitchablePolicy implements Policy {
    private static final Policy GREEDY = Policies.preparing(new GreedyPolicy());
    private volatile Function<RoundProblem, RoundPlan> plan = GREEDY::plan;

    /** Plans by {@code other} from now on. */
    public void use(Function<RoundProblem, RoundPlan> other) {
        plan = other;
    }

    /** Plans greedily again. */
    public void reset() {
        plan = GREEDY::plan;
    }

    @Override
    public String name() {
        return "switchable";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return Decision.of(plan.apply(problem));
    }
}

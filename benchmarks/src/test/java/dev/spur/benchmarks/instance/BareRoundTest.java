package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.solver.policy.Policies;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rounds in which only slots are scarce. */
class BareRoundTest {
    /** A first core problem takes 0.7 units of work here, neighborhoods take 0.04. */
    private static final SolveBudget LITTLE_WORK = new SolveBudget(0.2, 3600, 1, 1);

    @Test
    void partsOfTheirPlansAreDecidedBeforeTheCore() {
        RoundProblem problem =
                InstanceGenerator.waiting(1, 1000, 2048, Set.of(), RoundSettings.DEFAULT.withEffort(1e-4, LITTLE_WORK));

        RoundPlan plan = Policies.spur().plan(problem);

        assertThat(plan.quality().status()).isEqualTo(SolveStatus.GAP_LIMIT);
    }
}

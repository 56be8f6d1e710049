package dev.spur.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.OptimalityProof;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.Test;

/** Bounds of a round with more candidates than one program decides at once. */
class ProofTest {
    private static final int SOLVED_AT_ONCE = 3000;

    private static RoundPlan plan(double gapTarget, double work) {
        // no job runs: an earlier round would depend on the speed of the machine
        ConstraintSet waiting = ConstraintSet.parse("aggregation+hosts+quotas+groups+closed-nodes")
                .get(0);
        RoundSettings settings = RoundSettings.DEFAULT.withEffort(gapTarget, new SolveBudget(work, 600, 1, 1));
        RoundPlan plan = Policies.spur()
                .plan(Cases.generate(new Size(60, 128), waiting, 1, settings).problem());
        assertThat(plan.stats().candidates()).isGreaterThan(SOLVED_AT_ONCE);
        return plan;
    }

    @Test
    void neighborhoodsImproveThePlanWhileTheCoreProblemLowersTheBound() {
        assertThat(plan(1e-5, 1).quality().gap()).isLessThan(0.003);
    }

    @Test
    void theCoreProblemProvesThePlanOptimal() {
        assertThat(plan(1e-5, 3).quality().search().proof()).isEqualTo(OptimalityProof.SEARCH);
    }

    @Test
    void aPlanWithinTheGapTargetIsNotProvedFurther() {
        assertThat(plan(0.01, 2).quality().search().openJobs()).isZero();
    }
}

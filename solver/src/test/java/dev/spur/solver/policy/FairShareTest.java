package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import org.junit.jupiter.api.Test;

/** What tenants have used, as plans of Spur see it. */
class FairShareTest {
    private static ProblemFixture twoTenants() {
        return problem()
                .nodes(4)
                .tenant("x", "root", null)
                .tenant("y", "root", null)
                .jobs(
                        job("a").tenant("x").slots(4).weight(1.5),
                        job("b").tenant("y").slots(4));
    }

    @Test
    void whoHasUsedLessGoesFirst() {
        assertThat(Policies.spur().plan(twoTenants().build()).running().get(0).jobId())
                .isEqualTo("a");
        assertThat(Policies.spur()
                        .plan(twoTenants()
                                .fairShare(3600, 1)
                                .usedBefore("x", 1000)
                                .build())
                        .running()
                        .get(0)
                        .jobId())
                .isEqualTo("b");
    }

    @Test
    void thePendingReasonHasTheFigures() {
        RoundProblem problem = twoTenants()
                .fairShare(3600, 1)
                .usedBefore("x", 900)
                .usedBefore("y", 300)
                .build();

        RoundPlan plan = Policies.spur().plan(problem);

        PendingJob pending = plan.waiting().get(0);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        assertThat(pending.jobId()).isEqualTo("a");
        assertThat(pending.reason()).isEqualTo(PendingReason.FAIR_SHARE);
        assertThat(pending.message())
                .contains("tenant x has 75.0 % of the past usage among its siblings, above its fair share of 50.0 %")
                .contains("weight of its jobs is multiplied by 0.71");
    }

    @Test
    void aSavedRoundSolvesAgainAsItWas() {
        RoundProblem problem =
                twoTenants().fairShare(3600, 2).usedBefore("x", 1000).build();

        RoundProblem read = RoundJson.readProblem(RoundJson.write(problem));

        assertThat(read).isEqualTo(problem);
        assertThat(Policies.spur().decide(read).allocations())
                .isEqualTo(Policies.spur().decide(problem).allocations());
    }
}

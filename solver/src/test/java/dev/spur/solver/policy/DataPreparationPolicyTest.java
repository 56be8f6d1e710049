package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.StepTime;
import dev.spur.model.validation.PlanCheck;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Training and preparations in one round, on a node of 64 GiB and 16 CPUs. */
class DataPreparationPolicyTest {
    private static ProblemFixture cluster() {
        return problem().node(node("n1", 4).cpus(16).memory(64));
    }

    private static RoundPlan plan(ProblemFixture fixture) {
        RoundProblem problem = fixture.build();
        RoundPlan plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        return plan;
    }

    @Test
    void trainingComesFirstAndPreparationsFindRoomInWhatItLeaves() {
        RoundPlan plan = plan(cluster()
                .job(job("t").host(1, 40))
                .preparations(
                        preparation("p").workingSet(24),
                        preparation("q").workingSet(25).weight(9)));

        assertThat(plan.running()).extracting(PlannedJob::jobId).containsExactly("t");
        assertThat(Objects.requireNonNull(plan.preparations()).running())
                .extracting("jobId")
                .containsExactly("p");
    }

    @Test
    void whatARunningPreparationHoldsIsNotTrainings() {
        RoundPlan plan = plan(cluster()
                .job(job("t").host(1, 40))
                .preparations(preparation("p").on("n1", 32)));

        assertThat(plan.running()).isEmpty();
        assertThat(plan.waiting())
                .extracting(PendingJob::reason)
                .as("it would fit once the preparation has ended")
                .containsExactly(PendingReason.INSUFFICIENT_HOST_RESOURCES);
    }

    @Test
    void whatNeverFitsHasThatReason() {
        RoundPlan plan = plan(cluster()
                .job(job("t").host(1, 65))
                .preparations(preparation("p").on("n1", 32)));

        assertThat(plan.waiting()).extracting(PendingJob::reason).containsExactly(PendingReason.UNSATISFIABLE);
    }

    @Test
    void theStepIsTimedOnlyWhereThereIsSomethingToPrepare() {
        assertThat(plan(cluster().preparations(preparation("p"))).stats().steps())
                .extracting(StepTime::step)
                .contains("preparations");
        assertThat(plan(cluster().job(job("t"))).stats().steps())
                .extracting(StepTime::step)
                .doesNotContain("preparations");
        assertThat(plan(cluster().job(job("t"))).preparations()).isNull();
    }

    @Test
    void theGreedyPolicyPlansThem() {
        RoundProblem problem = cluster()
                .job(job("t").host(1, 16))
                .preparations(preparation("p"))
                .build();

        RoundPlan plan = Policies.greedy().plan(problem);

        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        assertThat(Objects.requireNonNull(plan.preparations()).running()).hasSize(1);
        assertThat(plan.running()).hasSize(1);
    }
}

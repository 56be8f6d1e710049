package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plans for a running job whose batch size should grow. */
class ReconfigurationPlanTest {
    private static final double NOW = 10_000;

    /** Has run with batch size 64 since 0, and is faster with 128. */
    private static JobFixture running() {
        return job("a").arrival(0)
                .work(1e6)
                .batch(new BatchLimits(64, 32, 128, 128, Map.of(), false))
                .efficiency(StatisticalEfficiency.ofNoiseScale(1e6))
                .profile(new ThroughputProfile(
                        List.of(
                                ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                                ProfilePoint.allReduce("A100", 1, 1, 128, 180)),
                        List.of()))
                .restartPenalty(600)
                .on("n1", 1);
    }

    private static RoundPlan planned(RoundProblem problem) {
        RoundPlan plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        return plan;
    }

    @Test
    void changeTheBatchSizeOnItsDevicesAndKeepTheStartOfItsAllocation() {
        RoundProblem problem = problem()
                .nodes(2)
                .now(NOW)
                .maxRestarts(0)
                .job(running().reconfigures(1))
                .build();
        Allocation heldAllocation = problem.jobs().get(0).allocation();

        PlannedJob planned = planned(problem).running().get(0);

        assertThat(planned.change()).isEqualTo(ChangeKind.RECONFIGURE);
        assertThat(planned.allocation().configuration().batchSize()).isEqualTo(128);
        assertThat(planned.allocation().placement()).isEqualTo(heldAllocation.placement());
        assertThat(planned.allocation().since()).isEqualTo(heldAllocation.since());
    }

    @Test
    void keepTheBatchSizeWhereARestartIsNotAllowed() {
        RoundProblem problem =
                problem().nodes(2).now(NOW).maxRestarts(0).job(running()).build();

        assertThat(planned(problem).running().get(0).change()).isEqualTo(ChangeKind.KEEP);
    }

    @Test
    void guaranteeADeadlineThatARestartWouldMiss() {
        double deadline = NOW + 1e6 / 178;

        assertThat(planned(problem()
                                .nodes(1)
                                .now(NOW)
                                .job(running().reconfigures(1).deadline(deadline, DeadlineStatus.PENDING))
                                .build())
                        .deadlineStatuses())
                .containsEntry("a", DeadlineStatus.GUARANTEED);
        assertThat(planned(problem()
                                .nodes(1)
                                .now(NOW)
                                .job(running().deadline(deadline, DeadlineStatus.PENDING))
                                .build())
                        .deadlineStatuses())
                .containsEntry("a", DeadlineStatus.AT_RISK);
    }
}

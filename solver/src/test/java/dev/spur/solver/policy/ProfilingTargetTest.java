package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that is to be measured in a shape. */
class ProfilingTargetTest {
    private static PlannedJob planned(ProblemFixture fixture, String id) {
        RoundProblem problem = fixture.build();
        RoundPlan plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        return plan.running().stream()
                .filter(runningJob -> runningJob.jobId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Configuration given(ProblemFixture fixture, String id) {
        return planned(fixture, id).allocation().configuration();
    }

    @ParameterizedTest
    @EnumSource
    void runsInItThoughAnotherOneIsFaster(ObjectiveKind kind) {
        ProblemFixture fixture = problem()
                .nodes(8)
                .objective(kind)
                .job(job("a").slots(1, 8).revenue(1e6).profilingTarget(2, null));

        assertThat(given(fixture, "a").slots()).isEqualTo(2);
    }

    @Test
    void movesThereFromWhatItHolds() {
        ProblemFixture fixture =
                problem().nodes(8).job(job("a").slots(1, 8).on("n1", 8).profilingTarget(2, null));

        assertThat(given(fixture, "a").slots()).isEqualTo(2);
    }

    @Test
    void runsAtTheBatchSizeThatIsAskedFor() {
        ProblemFixture fixture = problem()
                .nodes(8)
                .job(job("a").slots(2)
                        .batch(new BatchLimits(64, 64, 512, 256, Map.of(), true))
                        .profilingTarget(2, 96));

        assertThat(given(fixture, "a").batchSize()).isEqualTo(96);
    }

    @Test
    void getsTheReasonProfiling() {
        assertThat(planned(problem().nodes(8).job(job("a").slots(1, 8).profilingTarget(2, null)), "a")
                        .message())
                .startsWith("Profiling run on 2 A100 on 1 node");
    }

    @Test
    void runsElsewhereWhereOthersLeaveThatShapeNoRoom() {
        ProblemFixture fixture = problem()
                .nodes(8)
                .jobs(
                        job("other").slots(6).notPreemptible().on("n1", 6),
                        job("a").slots(1, 8).profilingTarget(4, null));

        assertThat(given(fixture, "a").slots()).isEqualTo(2);
    }
}

package dev.spur.solver.explain;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.solver.policy.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationExplanationTest {
    private static String message(ProblemFixture fixture, String job) {
        return Policies.spur().plan(fixture.build()).running().stream()
                .filter(runningJob -> runningJob.jobId().equals(job))
                .findFirst()
                .orElseThrow()
                .message();
    }

    @Test
    void aJobInItsBestShapeHasNoBetterOne() {
        assertThat(message(problem().nodes(4).job(job("a").slots(1, 4)), "a"))
                .isEqualTo("Runs on 4 A100 on 1 node at batch size 64 (400 effective samples/s): "
                        + "no other configuration has a higher utility.");
    }

    @Test
    void aRunningJobKeepsItsShapeIfARestartCostsMoreThanItGains() {
        assertThat(message(
                        problem()
                                .nodes(4)
                                .job(job("a").slots(1, 4)
                                        .remaining(2000)
                                        .restartPenalty(60)
                                        .on("n1", 2)),
                        "a"))
                .isEqualTo("Runs on 2 A100 on 1 node at batch size 64 (200 effective samples/s): "
                        + "no other configuration gains more than a restart costs.");
    }

    @Test
    void aJobInASmallerShapeGetsTheValueOfTheNext() {
        assertThat(message(
                        problem()
                                .nodes(4)
                                .jobs(
                                        job("a").slots(2, 4).speeds(100, 200, 220, 240),
                                        job("b").slots(2).weight(5)),
                        "a"))
                .isEqualTo(
                        "Runs on 2 A100 on 1 node at batch size 64 (200 effective samples/s): "
                                + "3 A100 on 1 node would have 10.0 % more utility, but other jobs gain more from these slots.");
    }

    @Test
    void aJobOfUnknownSpeedGetsNoSpeed() {
        ThroughputProfile nothing =
                new ThroughputProfile(List.of(ProfilePoint.allReduce("A100", 1, 1, 64, 64)), List.of(), true);

        assertThat(message(problem().nodes(4).job(job("a").slots(1, 4).profile(nothing)), "a"))
                .startsWith("Nothing is known about the speed of this job. It runs on 1 A100 on 1 node. "
                        + "It can grow after its first reports of steps");
    }

    @Test
    void aJobThatCannotBeLargerGetsNoNextStep() {
        assertThat(message(
                        problem()
                                .nodes(4)
                                .job(job("a").slots(1, 3).speeds(100, 190).batch(BatchLimits.ofBatch(64))),
                        "a"))
                .contains("does not divide into equal shares for 3 slots")
                .doesNotContain("is predicted after");
    }

    @Test
    void aJobOnItsLargestPredictedSizeGetsTheNextStep() {
        assertThat(message(problem().nodes(4).job(job("a").slots(1, 4).speeds(100, 190)), "a"))
                .endsWith(" Its speed on more than 2 slots is predicted after its first reports of steps there.");
    }

    @Test
    void aPinnedJobGetsTheReason() {
        assertThat(message(problem().nodes(4).job(job("a").notPreemptible().on("n1", 1)), "a"))
                .endsWith("it is not preemptible.");
        assertThat(message(
                        problem().nodes(4).job(job("a").minRun(600).holding(allocation(900, piece("n1", 0, 1)))), "a"))
                .endsWith("it has run for 100 s of its minimum run time of 600 s.");
    }

    @Test
    void theSentenceNamesSlotCountsThatDoNotDivideTheBatch() {
        assertThat(message(
                        problem()
                                .nodes(4)
                                .job(job("a").slots(1, 4)
                                        .batch(BatchLimits.ofBatch(64))
                                        .efficiency(StatisticalEfficiency.UNKNOWN)),
                        "a"))
                .endsWith(" A batch of 64 samples does not divide into equal shares for 3 slots.");
    }

    @Test
    void theSentenceNamesWhyTheBatchStaysAtTheInitialOne() {
        JobFixture job = job("a").slots(1, 2).batch(new BatchLimits(64, 64, 1024, 512, Map.of(), false));

        assertThat(message(problem().nodes(2).job(job.efficiency(StatisticalEfficiency.UNKNOWN)), "a"))
                .contains("at batch size 64")
                .endsWith(
                        " The batch stays at the initial 64 samples because the statistical efficiency of others is unknown: "
                                + "state efficiency.noiseScale, or report the noise scale.");
        assertThat(message(problem().nodes(2).job(job.efficiency(StatisticalEfficiency.ofNoiseScale(300))), "a"))
                .doesNotContain("stays at the initial");
    }

    @Test
    void oneAggregationSlotIsOne() {
        assertThat(message(problem().nodes(4).job(job("a").served(1)), "a"))
                .startsWith("Runs on 1 A100 on 1 node with 1 aggregation slot at");
    }

    @Test
    void aggregationIsNamed() {
        assertThat(message(problem().nodes(4).job(job("a").served(1.5)), "a"))
                .startsWith("Runs on 1 A100 on 1 node with 1.500 aggregation slots");
    }
}

package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decisions on slots, aggregators and batch sizes in one program. */
class SharedAggregatorsTest {
    private static final AggregationSettings DEDICATED = new AggregationSettings(false, 0.9, 0.1, 0.05, 5e8);

    private static RoundPlan plan(ProblemFixture fixture) {
        RoundProblem round = fixture.build();
        RoundPlan plan = Policies.spur().plan(round);
        assertThat(PlanCheck.violations(round, plan)).isEmpty();
        return plan;
    }

    private static List<String> running(RoundPlan plan) {
        return plan.running().stream().map(PlannedJob::jobId).sorted().toList();
    }

    /** Two jobs on 2 aggregation slots, which they keep busy for a twentieth, and one that needs 2 CPUs. */
    private static ProblemFixture jobsOnFourCpus() {
        Synchronization servers = new Synchronization(false, true, 2, 2, 0.05 * 2 * 0.64 * 5e8);
        return problem()
                .node(node("n1", 8).cpus(4).aggregation(4))
                .jobs(
                        job("a").slots(1).served(2).synchronization(servers),
                        job("b").slots(1).served(2).synchronization(servers),
                        job("c").slots(1).host(2, 0));
    }

    @Test
    void sharedAggregatorsLeaveTheirCpusToOtherJobs() {
        assertThat(running(plan(jobsOnFourCpus()))).containsExactly("a", "b", "c");
        assertThat(running(plan(jobsOnFourCpus().aggregation(DEDICATED)))).hasSize(2);
    }

    /** A job that keeps its aggregation slot busy for 25 % at 64 samples, and for 16 % at 128. */
    private static JobFixture withBatches(String id, int maxBatch) {
        return job(id).slots(1)
                .synchronization(new Synchronization(false, true, 1, 1, 0.25 * 0.64 * 5e8))
                .batch(new BatchLimits(64, 64, maxBatch, 512, Map.of(), false))
                .efficiency(StatisticalEfficiency.ofNoiseScale(100))
                .profile(ThroughputProfile.of(
                        new ProfilePoint("A100", 1, 1, 64, SyncStrategy.PARAMETER_SERVER, 1, 100),
                        new ProfilePoint("A100", 1, 1, 128, SyncStrategy.PARAMETER_SERVER, 1, 125)));
    }

    @Test
    void largerBatchesAreChosenWhereTheirAggregatorsFitTogether() {
        RoundPlan alone = plan(problem().node(node("n1", 4).aggregation(1)).jobs(withBatches("a", 128)));
        RoundPlan together =
                plan(problem().node(node("n1", 4).aggregation(1)).jobs(withBatches("a", 128), withBatches("b", 128)));
        RoundPlan fixed =
                plan(problem().node(node("n1", 4).aggregation(1)).jobs(withBatches("a", 64), withBatches("b", 64)));

        assertThat(alone.running())
                .extracting(planned -> planned.allocation().configuration().batchSize())
                .containsExactly(64);
        assertThat(running(together)).containsExactly("a", "b");
        assertThat(together.running())
                .extracting(planned -> planned.allocation().configuration().batchSize())
                .allMatch(batch -> batch > 64);
        assertThat(running(fixed)).hasSize(1);
    }

    /** Job a runs with 64 samples; a change to more takes a second, and a restart a minute. */
    private static RoundPlan withRunning(int maxBatch) {
        JobFixture a = withBatches("a", maxBatch).restartPenalty(60).reconfigures(1);
        a.holding(JobFixture.served(0, piece("n1", 0, 1), "n1", 1));
        return plan(problem().node(node("n1", 4).aggregation(1)).jobs(a, withBatches("b", 128)));
    }

    @Test
    void aRunningJobAdoptsALargerBatchSoThatAnotherOneFitsOnItsAggregator() {
        RoundPlan plan = withRunning(128);

        assertThat(running(plan)).containsExactly("a", "b");
        assertThat(plan.running())
                .extracting(planned -> planned.allocation().configuration().batchSize())
                .allMatch(batch -> batch > 64);
        assertThat(plan.running().get(0).allocation().since()).as("start of a").isZero();
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
        assertThat(running(withRunning(64))).hasSize(1);
    }

    /** Two jobs that share keep an aggregator on a node each, and one that does not share needs 3 of the 4 CPUs. */
    private static RoundPlan withSharesOnTwoNodes(boolean pinned) {
        Synchronization servers = new Synchronization(false, true, 1, 1, 0.05 * 0.64 * 5e8);
        JobFixture a = job("a").slots(1).served(1).synchronization(servers);
        JobFixture b = job("b").slots(1).served(1).synchronization(servers);
        a.holding(JobFixture.served(0, piece("w", 0, 1), "x", 1));
        b.holding(JobFixture.served(0, piece("w", 1, 1), "y", 1));
        return plan(problem()
                .node(node("w", 8).aggregation(0))
                .node(node("x", 0).cpus(2).aggregation(2))
                .node(node("y", 0).cpus(2).aggregation(2))
                .jobs(
                        pinned ? a.notPreemptible() : a,
                        pinned ? b.notPreemptible() : b,
                        job("c").slots(1).served(3)));
    }

    @Test
    void fragmentedSharesMoveTogetherForAJobThatDoesNotShare() {
        assertThat(running(withSharesOnTwoNodes(false))).containsExactly("a", "b", "c");
    }

    @Test
    void aggregatorsOfPinnedJobsCountOnTheirNodes() {
        RoundPlan plan = withSharesOnTwoNodes(true);

        assertThat(running(plan)).containsExactly("a", "b");
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
    }
}

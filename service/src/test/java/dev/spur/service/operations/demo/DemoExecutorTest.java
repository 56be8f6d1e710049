package dev.spur.service.operations.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.executors.FixedPolicy;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.access.InternalToken;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A job on a node of the demo, whose batch of 128 samples makes half the progress per sample of its initial batch. */
class DemoExecutorTest extends ServiceTest {
    private static final String NODE = DemoCluster.PREFIX + "a100-1";
    private static final double RESTART_SECONDS = 30;
    private static final double SPEED = 100;
    private static final double SPEED_AT_128 = 180;
    private static final Offset<Double> ROUNDING = within(1e-3);

    @Autowired
    private TestRounds rounds;

    @Autowired
    private JobStore jobs;

    private final FixedPolicy plan = new FixedPolicy();
    private final AtomicLong clock = new AtomicLong();
    private DemoClient client;
    private DemoExecutor executor;

    @BeforeEach
    void begin(@Autowired InternalToken token) {
        world.node(NODE, 1);
        rounds.begin();
        policy.use(plan);
        client = new DemoClient(address(), token.header());
        executor = new DemoExecutor(client, jobs, clock::get);
    }

    @Test
    void makesTheEffectiveProgressOfThePlanAtALargerBatch() throws Exception {
        String job = running(null);
        passAfterRestart(10);

        useLargerBatch(job);
        passAfterRestart(10);

        assertThat(stored(job).generation()).isEqualTo(2);
        assertThat(stored(job).work().done()).isCloseTo(10 * SPEED + 10 * SPEED_AT_128 / 2, ROUNDING);
        assertThat(stored(job).work().raw()).isCloseTo(10 * SPEED + 10 * SPEED_AT_128, ROUNDING);
    }

    @Test
    void continuesFromTheReportedCountAfterARestartOfTheExecutor() throws Exception {
        String job = running(null);
        passAfterRestart(10);
        useLargerBatch(job);
        passAfterRestart(10);
        StoredJob before = stored(job);
        executor = new DemoExecutor(client, jobs, clock::get);

        executor.step();
        passAfterRestart(10);

        assertThat(stored(job).work().raw()).isCloseTo(before.work().raw() + 10 * SPEED_AT_128, ROUNDING);
        assertThat(stored(job).work().done()).isCloseTo(before.work().done() + 10 * SPEED_AT_128 / 2, ROUNDING);
    }

    @Test
    void adoptsALargerBatchWithinAGenerationAfterItsStall() throws Exception {
        String job = running(new ChangeCosts(4.0, null, null));
        passAfterRestart(10);

        useLargerBatch(job);
        pass(4);
        assertThat(stored(job).work().raw()).as("during the stall").isCloseTo(10 * SPEED, ROUNDING);
        pass(10);

        assertThat(stored(job).generation()).isEqualTo(1);
        assertThat(stored(job).work().done()).isCloseTo(10 * SPEED + 10 * SPEED_AT_128 / 2, ROUNDING);
    }

    @Test
    void completesTheRestartBeforeTheStallOfAReconfiguration() throws Exception {
        String job = running(new ChangeCosts(4.0, null, null));

        useLargerBatch(job);
        pass(RESTART_SECONDS + 4);

        assertThat(stored(job).work().raw()).isZero();
    }

    private String running(@Nullable ChangeCosts costs) throws Exception {
        JobSpec spec = TestCluster.spec(1)
                .edit()
                .batch(new BatchLimits(64, 64, 128, 128, Map.of(), false))
                .speed(
                        new ThroughputProfile(
                                List.of(
                                        ProfilePoint.allReduce("A100", 1, 1, 64, SPEED),
                                        ProfilePoint.allReduce("A100", 1, 1, 128, SPEED_AT_128)),
                                List.of()),
                        StatisticalEfficiency.ofNoiseScale(0))
                .changeCosts(costs)
                .build();
        String job = world.job(spec);
        plan.put(job, new NodeShare(NODE, List.of("d0")));
        publish();
        return job;
    }

    /** Has a round change the batch size. The job has run for a day, so that its protection is over. */
    private void useLargerBatch(String job) throws Exception {
        world.sql(
                "update job set allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 86400))");
        plan.batch(job, 128);
        publish();
    }

    private void publish() throws Exception {
        rounds.run();
        awaitFeed();
        executor.step();
    }

    private void passAfterRestart(double seconds) throws Exception {
        pass(RESTART_SECONDS + seconds);
    }

    private void pass(double seconds) throws Exception {
        clock.addAndGet((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
        executor.step();
    }

    private StoredJob stored(String job) {
        return jobs.find(job).orElseThrow();
    }
}

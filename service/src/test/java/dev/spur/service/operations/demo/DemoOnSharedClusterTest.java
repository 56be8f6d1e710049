package dev.spur.service.operations.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.jobs.JobStore;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.access.InternalToken;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;

/** The demo on a cluster that has nodes of others. */
class DemoOnSharedClusterTest extends ServiceTest {
    private static final int JOBS = DemoJob.all().size();

    @Autowired
    private TestRounds rounds;

    private Demo demo;

    @BeforeEach
    void create(@Autowired Environment environment, @Autowired InternalToken token, @Autowired JobStore jobs) {
        demo = new Demo(environment, token, jobs);
    }

    @AfterEach
    void end() throws InterruptedException {
        demo.end();
        await(() -> !demo.isPlaying());
    }

    @Test
    void jobsMakeProgressAfterARestartBesideANodeThatWasAddedMeanwhile(
            @Autowired Environment environment, @Autowired InternalToken token, @Autowired JobStore jobs)
            throws Exception {
        demo.begin();
        await(() -> jobs() == JOBS);
        end();
        addNode("example-1");
        policy.use(Policies.spur()::plan);
        rounds.begin();
        rounds.run();
        demo = new Demo(environment, token, jobs);

        demo.begin();

        await(() -> world.value(Long.class, "select count(*) from job where observed_at is not null") > 0);
        assertThat(jobs()).isEqualTo(JOBS);
    }

    @Test
    void theClusterIsRegisteredWhenTheServiceReportsReady() throws Exception {
        demo.begin();

        assertThat(jobs()).isGreaterThanOrEqualTo(DemoCluster.FIRST_JOBS);
    }

    @Test
    void aClusterWithoutNodesOfTheDemoGetsNone() throws Exception {
        addNode("example-1");

        demo.begin();
        await(() -> !demo.isPlaying());

        assertThat(jobs()).isZero();
        assertThat(world.value(Long.class, "select count(*) from node")).isEqualTo(1);
    }

    private long jobs() {
        return world.value(Long.class, "select count(*) from job");
    }

    private void addNode(String id) throws Exception {
        assertThat(client().put("/api/v1/nodes/" + id, """
                {"pool": "main", "acceleratorType": "A100", "devices": ["GPU-0"], "cpus": 8, "memoryGiB": 64}
                """).statusCode()).isEqualTo(201);
    }
}

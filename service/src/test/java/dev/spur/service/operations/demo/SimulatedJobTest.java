package dev.spur.service.operations.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.jobs.DemoNodes;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.access.InternalToken;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;

/** A job with a command on the nodes of the demo, which has no agent. */
class SimulatedJobTest extends ServiceTest {
    @TestConfiguration
    static class Simulation {
        @Bean
        @Primary
        DemoNodes nodesOfTheDemo() {
            return new DemoNodes(true);
        }
    }

    @LocalServerPort
    private int port;

    @Autowired
    private TestRounds rounds;

    private Demo demo;

    @BeforeEach
    void create(@Autowired Environment environment, @Autowired InternalToken token, @Autowired JobStore jobs)
            throws Exception {
        demo = new Demo(environment, token, jobs);
        policy.use(Policies.spur()::plan);
        rounds.begin();
    }

    @AfterEach
    void end() throws InterruptedException {
        demo.end();
        await(() -> !demo.isPlaying());
    }

    @Test
    void isDoneWithoutAnExecutor() throws Exception {
        ContractedClient api = new ContractedClient(port);
        demo.begin();
        String id = api.post("/api/v1/jobs", """
                        {"name": "short", "command": {"program": "train"},
                         "spec": {"batch": {"initial": 64, "min": 64, "max": 64}, "restartPenaltySeconds": 0,
                           "elasticity": {"minSlots": 1, "maxSlots": 1}, "work": {"unit": "STEPS", "amount": 2}}}
                        """).is(201).at("/id");
        rounds.run();

        JsonNode running = api.get("/api/v1/jobs/" + id).is(200).json();
        assertThat(running.path("state").asString()).isEqualTo("RUNNING");
        assertThat(running.at("/warnings/0/kind").asString()).isEqualTo("SIMULATED");
        assertThat(world.value(Long.class, "select count(*) from assignment")).isZero();
        await(() -> world.state(id).equals("DONE"));
    }
}

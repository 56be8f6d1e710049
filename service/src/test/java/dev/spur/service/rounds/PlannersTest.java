package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.testing.FaultPoints;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** The replica that plans. */
class PlannersTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private FaultPoints faults;

    @LocalServerPort
    private int port;

    private ContractedClient api;

    @BeforeEach
    void addNode() {
        api = new ContractedClient(port);
        world.node("m1", 4);
    }

    private Lease take(String holder) {
        return new Lease(holder, leases.take(holder, 600).orElseThrow());
    }

    private void end() {
        world.sql("update planner_lease set expires_at = clock_timestamp()");
    }

    private List<JsonNode> planners() {
        return api.get("/api/v1/planners")
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private static Instant since(JsonNode planner) {
        return Instant.parse(planner.path("since").asString());
    }

    @Test
    void isListedWhileItHoldsTheLease() {
        assertThat(planners()).isEmpty();
        Lease lease = take("one");

        assertThat(planners()).singleElement().satisfies(planner -> {
            assertThat(planner.path("replica").asString()).isEqualTo("one");
            assertThat(planner.path("leaseTerm").asLong()).isEqualTo(lease.term());
        });

        leases.release(lease);
        assertThat(planners()).isEmpty();
    }

    @Test
    void hasTheLeaseSinceItTookItHoweverOftenItKeepsIt() {
        Lease lease = take("one");
        Instant taken = since(planners().get(0));

        assertThat(leases.keep(lease, 600)).isTrue();
        assertThat(since(planners().get(0))).isEqualTo(taken);
        end();
        take("one");

        assertThat(since(planners().get(0))).isAfter(taken);
    }

    @Test
    void publishesNothingUnderAnEarlierTerm() {
        String job = world.job(1);
        Lease before = take("one");
        faults.at("validate", () -> {
            end();
            take("one");
        });

        assertThat(runner.run(before, "test").outcome().status()).isEqualTo(RoundStatus.FENCED);
        assertThat(world.generation(job)).isZero();
        assertThat(leases.keep(before, 600)).isFalse();
        leases.release(before);
        assertThat(planners()).hasSize(1);
    }
}

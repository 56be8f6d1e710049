package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.NodeState;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Idle slots after rounds in which the cause is known. */
class IdleSlotsTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @LocalServerPort
    private int port;

    private Lease lease;
    private ContractedClient api;

    @BeforeEach
    void addANode() {
        policy.use(Policies.spur()::plan);
        lease = new Lease("test", leases.take("test", 600).orElseThrow());
        api = new ContractedClient(port);
        world.node("n1", 8);
    }

    /** Slots that no job of the test cluster uses: its jobs have at most 8. */
    private void addTwoSlots() {
        world.sql("update node set devices = devices || array['e1', 'e2']");
    }

    private void round() throws InterruptedException {
        assertThat(runner.run(lease, "test").outcome().planRevision()).isNotNull();
        awaitFeed();
    }

    private List<JsonNode> idle(String query) {
        return api.get("/api/v1/idle-slots" + query)
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private JsonNode only() {
        List<JsonNode> idle = idle("");
        assertThat(idle).hasSize(1);
        return idle.get(0);
    }

    private void conditions(JsonNode idle, int slots, String reason) {
        assertThat(idle.path("slots").intValue()).isEqualTo(slots);
        assertThat(idle.path("reason").asString())
                .as(idle.path("message").asString())
                .isEqualTo(reason);
        assertThat(idle.path("pool").asString()).isEqualTo("main");
        assertThat(idle.path("acceleratorType").asString()).isEqualTo("A100");
        assertThat(idle.path("nodes").path(0).asString()).isEqualTo("n1");
    }

    @Test
    void slotsWithoutJobsAreUsedOnceAJobArrives() throws Exception {
        round();
        conditions(only(), 8, "NO_JOB");

        world.job(4);
        round();

        assertThat(idle("")).isEmpty();
    }

    @Test
    void theReasonOfAJobAtItsMaximumNamesIt() throws Exception {
        addTwoSlots();
        String job = world.job(3);
        round();

        conditions(only(), 2, "MAX_SLOTS");
        assertThat(only().at("/jobs/0/jobId").asString()).isEqualTo(job);
        assertThat(only().at("/jobs/0/count").intValue()).isEqualTo(1);
    }

    @Test
    void aClosedNodeIsTheReasonAtOnce() throws Exception {
        addTwoSlots();
        world.job(3);
        round();

        world.state("n1", NodeState.DRAINING);
        conditions(only(), 2, "NODE_UNAVAILABLE");
        world.state("n1", NodeState.LOST);
        assertThat(idle("")).isEmpty();
    }

    @Test
    void aQuarantinedDeviceIsItsOwnReason() throws Exception {
        round();
        world.sql(
                "insert into device_health (node, device, healthy, failures) select id, devices[1], false, 1 from node");

        List<JsonNode> idle = idle("");
        conditions(idle.get(0), 7, "NO_JOB");
        conditions(idle.get(1), 1, "QUARANTINED");
        assertThat(idle("?reason=QUARANTINED")).hasSize(1);
        assertThat(idle("?acceleratorType=V100")).isEmpty();
    }

    @Test
    void anExecutorThatStartsNoProcessIsTheReason() throws Exception {
        round();
        world.sql("""
                insert into executor (id, instance, registration_epoch, state, address, devices, registered_at, seen_at, lease_expires_at,
                    reclaim_at, start_refusal)
                select id, 'x', 1, 'ALIVE', id, devices, now(), now(), now() + interval '1 hour', now() + interval '1 hour', 'The disk is full.'
                from node
                """);

        conditions(only(), 8, "NO_PROCESS");
        assertThat(only().path("message").asString()).endsWith("The disk is full.");
    }

    @Test
    void slotsThatTheLastRoundDidNotSeeAwaitTheNext() throws Exception {
        round();
        world.node("n2", 2);

        List<JsonNode> idle = idle("");
        assertThat(idle).hasSize(2);
        assertThat(idle.get(1).path("reason").asString()).isEqualTo("RELEASED");
        assertThat(idle.get(1).path("slots").intValue()).isEqualTo(2);
    }

    @Test
    void theListHasPages() throws Exception {
        round();
        world.node("n2", 2);

        JsonNode first = api.get("/api/v1/idle-slots?limit=1").is(200).json();
        JsonNode second = api.get("/api/v1/idle-slots?limit=1&cursor="
                        + first.path("next").asString())
                .is(200)
                .json();
        assertThat(first.at("/items/0/reason").asString()).isEqualTo("NO_JOB");
        assertThat(second.at("/items/0/reason").asString()).isEqualTo("RELEASED");
        assertThat(second.path("next").isNull()).isTrue();
    }
}

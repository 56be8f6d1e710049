package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.security.Role;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How the key of a loan of node n2 reaches the agent of the borrower on node n1, and no other caller. */
class MemoryExportTest extends PreparationsTest {
    private static final String KEY = "5f".repeat(32);
    private static final String DESIRED = "/api/v1/executors/%s/assignments";

    private String id;

    @BeforeEach
    void borrow() {
        id = submitted(", \"command\": {\"program\": \"sort\"}");
        runs(id);
        for (String node : List.of("n1", "n2")) {
            api.put("/api/v1/executors/" + node, """
                    {"instance": "%s", "acceleratorType": "A100", "devices": [{"uuid": "d0"}, {"uuid": "d1"}, {"uuid": "d2"},
                     {"uuid": "d3"}]}
                    """.formatted(node)).is(200);
        }
    }

    private String report(String node, long generation) {
        return api.with(world.token(Role.EXECUTOR, null, node))
                .put("/api/v1/nodes/%s/memory".formatted(node), """
                        {"usedGiB": 1, "exports": [{"preparationId": "%s", "generation": %d, "port": 19007, "key": "%s"}]}
                        """.formatted(id, generation, KEY))
                .is(200)
                .json()
                .toString();
    }

    private JsonNode loan(Role role, String node) {
        return api.with(world.token(role, null, node))
                .get(DESIRED.formatted("n1"))
                .is(200)
                .json()
                .at("/preparations/0/loans/0");
    }

    @Test
    void theAgentOfTheBorrowerReceivesPortAndKey() {
        assertThat(loan(Role.EXECUTOR, "n1").path("port").isNull()).isTrue();

        report("n2", 1);

        JsonNode loan = loan(Role.EXECUTOR, "n1");
        assertThat(loan.path("gib").asInt()).isEqualTo(16);
        assertThat(loan.path("port").asInt()).isEqualTo(19007);
        assertThat(loan.path("key").asString()).isEqualTo(KEY);
    }

    @Test
    void itIsWokenByTheReport() throws Exception {
        long before =
                api.get(DESIRED.formatted("n1")).is(200).json().path("revision").asLong();
        var waiting = client().getAsync(DESIRED.formatted("n1") + "?after=%d&wait=30".formatted(before));

        report("n2", 1);

        assertThat(waiting.get(20, TimeUnit.SECONDS).body()).contains(KEY);
    }

    @Test
    void noOtherCallerReceivesTheKey() {
        assertThat(report("n2", 1)).doesNotContain(KEY);
        rounds.run();

        for (Role role : List.of(Role.VIEWER, Role.OPERATOR)) {
            JsonNode loan = loan(role, null);
            assertThat(loan.path("port").asInt()).isEqualTo(19007);
            assertThat(loan.path("key").isNull()).isTrue();
        }
        assertThat(api.with(world.token(Role.EXECUTOR, null, "n2"))
                        .get(DESIRED.formatted("n1"))
                        .status())
                .isEqualTo(404);
        for (String path : List.of(
                DESIRED.formatted("n2"),
                "/api/v1/nodes/n2/memory",
                "/api/v1/hosts",
                "/api/v1/jobs/" + id,
                "/api/v1/jobs/" + id + "/events",
                "/api/v1/rounds/2/snapshot",
                "/api/v1/plans/current")) {
            assertThat(api.get(path).is(200).json().toString()).as(path).doesNotContain(KEY);
        }
    }

    @Test
    void anExportOfAnotherStartOrNodeIsNotTheLoan() {
        report("n2", 2);
        assertThat(loan(Role.EXECUTOR, "n1").path("key").isNull()).isTrue();

        report("n1", 1);
        assertThat(loan(Role.EXECUTOR, "n1").path("key").isNull()).isTrue();
    }

    @Test
    void aReportWithoutTheExportEndsIt() {
        report("n2", 1);
        api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 1}").is(200);

        assertThat(loan(Role.EXECUTOR, "n1").path("port").isNull()).isTrue();
    }

    @Test
    void roundsKnowWhichNodesLendNothing() {
        api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 1, \"lendingRefusal\": \"nbdkit is missing\"}")
                .is(200);
        grants.put(id, new PreparationAllocation("n1", 8, 48, List.of(), 0));
        rounds.run();

        assertThat(api.get("/api/v1/nodes/n2/memory")
                        .is(200)
                        .json()
                        .path("lendingRefusal")
                        .asString())
                .isEqualTo("nbdkit is missing");
        assertThat(api.get("/api/v1/rounds/2/snapshot")
                        .is(200)
                        .json()
                        .at("/memoryUse/0/lendingRefusal")
                        .asString())
                .isEqualTo("nbdkit is missing");
    }
}

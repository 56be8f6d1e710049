package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every operation that changes something, done once with success. */
class AuditTest extends ApiTest {
    private static final String API = "/api/v1";
    /** What tells how things go, or changes nothing. */
    private static final Set<String> NOT_PUT_DOWN = Set.of(
            "solveSnapshot",
            "runWhatIf",
            "createRecommendation",
            "reportJobProgress",
            "reportNodeMemory",
            "sendHeartbeat",
            "reportAssignmentTransition",
            "uploadAssignmentLogs",
            "pingWebhook",
            "redeliverWebhook");

    private final Map<String, Runnable> changes = new LinkedHashMap<>();
    private String job;

    @Autowired
    private AuditTrail trail;

    static Stream<String> audited() {
        return ContractedClient.contract().operations().stream()
                .filter(Operation::audited)
                .map(Operation::id);
    }

    @BeforeEach
    void furnish() {
        cluster(4, 4);
        job = api.post(API + "/jobs", Submissions.json()).is(201).at("/id");
        api.put(API + "/pools/spare", "{}").is(201);
        api.put(API + "/accelerator-types/B1", "{\"memoryGiB\": 80}").is(201);
        api.put(API + "/tenants/vision", "{\"parent\": \"root\"}").is(201);
        api.put(API + "/groups/trials", "{\"maxJobs\": 2}").is(201);
        api.put(API + "/reservations/window", reservation("n0")).is(201);
        api.put(API + "/maintenance-windows/old", maintenance("n0")).is(201);
        changes.clear();
        changesOfJobs();
        changesOfNodes();
        changesOfNames();
        changesOfTheRest();
    }

    private static String reservation(String node) {
        return """
                {"nodes": ["%s"], "start": "2030-01-01T00:00:00Z", "end": "2030-01-02T00:00:00Z"}
                """.formatted(node);
    }

    private static String maintenance(String node) {
        return """
                {"nodes": ["%s"], "start": "2130-01-01T00:00:00Z", "end": "2130-01-02T00:00:00Z"}
                """.formatted(node);
    }

    private String tag(String path) {
        return api.get(API + path).is(200).etag();
    }

    private void changesOfJobs() {
        String path = "/jobs/" + job;
        changes.put(
                "submitJob", () -> api.post(API + "/jobs", Submissions.json()).is(201));
        changes.put(
                "updateJob",
                () -> api.patch(API + path, "{\"name\": \"new\"}", "If-Match", tag(path))
                        .is(200));
        changes.put("cancelJob", () -> api.post(API + path + "/cancel").is(200));
        changes.put("holdJob", () -> api.post(API + path + "/hold").is(200));
        changes.put("releaseJob", () -> {
            world.sql("update job set held = true");
            api.post(API + path + "/release").is(200);
        });
        changes.put("submitArray", this::array);
        changes.put(
                "updateArray",
                () -> onArray(
                        array -> api.patch(array, "{\"limit\": 1}", "If-Match", tag(array.substring(API.length())))
                                .is(200)));
        changes.put(
                "cancelArray",
                () -> onArray(array -> api.post(array + "/cancel").is(200)));
        changes.put(
                "holdArray", () -> onArray(array -> api.post(array + "/hold").is(200)));
        changes.put(
                "releaseArray",
                () -> onArray(array -> {
                    world.sql("update job set held = true");
                    api.post(array + "/release").is(200);
                }));
        changes.put("replaceJobProfile", () -> {
            JsonNode profile = api.get(API + path + "/profile").is(200).json();
            ObjectNode point = (ObjectNode) profile.at("/points/0");
            point.put("samplesPerSecond", point.path("samplesPerSecond").asDouble() * 1.1);
            api.put(API + path + "/profile", profile.toString(), "If-Match", tag(path + "/profile"))
                    .is(200);
        });
    }

    private void changesOfNodes() {
        changes.put(
                "putNode",
                () -> api.put(API + "/nodes/n9", "{\"pool\": \"main\", \"cpus\": 8, \"memoryGiB\": 8}")
                        .is(201));
        changes.put(
                "updateNode",
                () -> api.patch(API + "/nodes/n0", "{\"rack\": \"r9\"}", "If-Match", tag("/nodes/n0"))
                        .is(200));
        changes.put("deleteNode", () -> api.delete(API + "/nodes/n1").is(204));
        changes.put("drainNode", () -> api.post(API + "/nodes/n0/drain").is(200));
        changes.put("cordonNode", () -> api.post(API + "/nodes/n0/cordon").is(200));
        changes.put("markNodeLost", () -> api.post(API + "/nodes/n0/mark-lost").is(200));
        changes.put("activateNode", () -> {
            world.sql("update node set state = 'LOST'");
            api.post(API + "/nodes/n0/activate").is(200);
        });
    }

    private void changesOfNames() {
        changes.put(
                "putAcceleratorType",
                () -> api.put(API + "/accelerator-types/B2", "{\"memoryGiB\": 80}")
                        .is(201));
        changes.put(
                "deleteAcceleratorType",
                () -> api.delete(API + "/accelerator-types/B1").is(204));
        changes.put("putPool", () -> api.put(API + "/pools/other", "{}").is(201));
        changes.put("deletePool", () -> api.delete(API + "/pools/spare").is(204));
        changes.put(
                "putReservation",
                () -> api.put(API + "/reservations/other", reservation("n1")).is(201));
        for (String decision : List.of("approve", "reject")) {
            changes.put(decision + "Proposal", () -> {
                world.proposal();
                api.post(API + "/proposals/1/" + decision, "{}").is(decision.equals("approve") ? 202 : 200);
            });
        }
        changes.put(
                "putMaintenanceWindow",
                () -> api.put(API + "/maintenance-windows/new", maintenance("n1"))
                        .is(201));
        changes.put(
                "deleteMaintenanceWindow",
                () -> api.delete(API + "/maintenance-windows/old").is(204));
        changes.put(
                "deleteReservation",
                () -> api.delete(API + "/reservations/window").is(204));
        changes.put(
                "putTenant",
                () -> api.put(
                                API + "/tenants/vision",
                                "{\"parent\": \"root\", \"weight\": 3}",
                                "If-Match",
                                tag("/tenants/vision"))
                        .is(200));
        changes.put("deleteTenant", () -> api.delete(API + "/tenants/vision").is(204));
        changes.put(
                "putGroup",
                () -> api.put(API + "/groups/others", "{\"maxJobs\": 3}").is(201));
        changes.put("deleteGroup", () -> api.delete(API + "/groups/trials").is(204));
    }

    private void changesOfWebhooks() {
        String hook = "{\"url\": \"https://hooks.example.org\", \"enabled\": false, \"kinds\": [\"%s\"]}";
        String path = "/webhooks/"
                + api.post(API + "/webhooks", hook.formatted("DONE")).is(201).at("/webhook/id");
        changes.put(
                "createWebhook",
                () -> api.post(API + "/webhooks", hook.formatted("DONE")).is(201));
        changes.put(
                "replaceWebhook",
                () -> api.put(API + path, hook.formatted("FAILED"), "If-Match", tag(path))
                        .is(200));
        changes.put("deleteWebhook", () -> api.delete(API + path).is(204));
    }

    private void changesOfTheRest() {
        changesOfWebhooks();
        world.sql("insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'OBSERVE')");
        changes.put(
                "updateConnector",
                () -> api.patch(
                                API + "/connectors/slurm",
                                "{\"controlLevel\": \"ADMIT\"}",
                                "If-Match",
                                tag("/connectors/slurm"))
                        .is(200));
        changes.put(
                "replaceSettings",
                () -> api.put(API + "/settings", "{\"roundSeconds\": 99}", "If-Match", tag("/settings"))
                        .is(200));
        changes.put(
                "updateSettings",
                () -> api.patch(API + "/settings", "{\"roundSeconds\": 98}", "If-Match", tag("/settings"))
                        .is(200));
        changes.put("startRound", () -> api.post(API + "/rounds").is(202));
        changes.put(
                "issueToken",
                () -> api.post(API + "/tokens", "{\"name\": \"ci\", \"role\": \"VIEWER\"}")
                        .is(201));
        changes.put("revokeToken", () -> {
            world.token(Role.VIEWER, null, null);
            api.delete(API + "/tokens/" + world.value(String.class, "select id from access_token"))
                    .is(204);
        });
        changes.put("registerExecutor", this::register);
        changes.put("deleteExecutor", () -> {
            register();
            world.sql("truncate audit_entry");
            api.delete(API + "/executors/n7").is(204);
        });
    }

    /** Submits an array. Returns its path. */
    private String array() {
        String id = api.post(
                        API + "/arrays",
                        "{\"indices\": \"0-1\", \"limit\": 2, \"job\": %s}".formatted(Submissions.json()))
                .is(201)
                .json()
                .path("id")
                .asString();
        return API + "/arrays/" + id;
    }

    private void onArray(Consumer<String> change) {
        String array = array();
        world.sql("truncate audit_entry");
        change.accept(array);
    }

    private void register() {
        api.put(API + "/executors/n7", """
                {"instance": "a", "pool": "main", "acceleratorType": "A100", "devices": [{"uuid": "g0"}], "cpus": 8,
                 "memoryGiB": 8}
                """).is(200);
    }

    @Test
    void everyOperationThatIsToBePutDownIsDoneHere() {
        assertThat(changes.keySet())
                .containsExactlyInAnyOrderElementsOf(audited().collect(Collectors.toSet()));
        assertThat(ContractedClient.contract().operations())
                .filteredOn(operation -> operation.path().startsWith("/api/")
                        && !operation.method().equals("GET")
                        && !operation.audited())
                .extracting(Operation::id)
                .containsExactlyInAnyOrderElementsOf(NOT_PUT_DOWN);
    }

    @ParameterizedTest
    @MethodSource("audited")
    void aChangeLeavesOneRow(String operation) {
        world.sql("truncate audit_entry");

        changes.get(operation).run();

        JsonNode rows = api.get(API + "/audit").is(200).json().path("items");
        assertThat(rows).as(rows.toString()).hasSize(1);
        assertThat(rows.at("/0/operation").asString()).isEqualTo(operation);
        assertThat(rows.at("/0/principal").asString()).isEqualTo("local");
        assertThat(rows.at("/0/address").asString()).isEqualTo("127.0.0.1");
        assertThat(rows.at("/0/change")).isNotEmpty();
        assertThat(rows.toString()).doesNotContain("spur_", "whsec_");
    }

    @Test
    void aRowHasCallerOperationObjectAndFormerValue() {
        ContractedClient ann = api.with(world.token(Role.OPERATOR, null, null));
        String name = ann.get(API + "/whoami").at("/name");

        String id = ann.post(API + "/nodes/n0/drain").is(200).header("X-Request-Id");

        JsonNode row = api.get(API + "/audit?object=n0&limit=1").json().at("/items/0");
        assertThat(row.path("principal").asString()).isEqualTo(name);
        assertThat(row.path("credential").asString()).isEqualTo("TOKEN");
        assertThat(row.path("requestId").asString()).isEqualTo(id);
        assertThat(row.path("change").toString()).isEqualTo("{\"/state\":[\"ACTIVE\",\"DRAINING\"]}");
    }

    @Test
    void whatIsRefusedOrChangesNothingLeavesNoRow() {
        api.post(API + "/nodes/n0/drain").is(200);
        world.sql("truncate audit_entry");

        api.post(API + "/nodes/n0/drain").is(200);
        api.patch(API + "/nodes/n0", "{\"rack\": \"r9\"}", "If-Match", "\"999\"")
                .is(412);
        api.delete(API + "/accelerator-types/A100").is(409);
        api.post(API + "/jobs", Submissions.json(tree -> tree.put("tenant", "nobody")))
                .is(422);

        assertThat(count("audit_entry")).isZero();
    }

    @Test
    void rowsAreFoundByWhoWhatAndWhen() {
        String now = java.time.Instant.now().plusSeconds(60).toString();

        assertThat(api.get(API + "/audit?kind=pool&object=spare").json().path("items"))
                .hasSize(1);
        assertThat(api.get(API + "/audit?operation=submitJob&principal=local")
                        .json()
                        .path("items"))
                .hasSize(1);
        assertThat(api.get(API + "/audit?principal=nobody").json().path("items"))
                .isEmpty();
        assertThat(api.get(API + "/audit?since=" + now).json().path("items")).isEmpty();
        assertThat(api.get(API + "/audit?until=" + now + "&limit=500").json().path("items"))
                .hasSizeGreaterThan(5);
        String next = api.get(API + "/audit?limit=2").is(200).at("/next");
        assertThat(api.get(API + "/audit?limit=2&cursor=" + next).json().path("items"))
                .hasSize(2);
    }

    @Test
    void changesOfTheServiceItselfAreNotRecorded() {
        trail.recordChange("node", "n0", null, Map.of("a", 1));

        assertThat(api.get(API + "/audit?kind=node&object=n0&operation=putNode")
                        .json()
                        .path("items"))
                .hasSize(1);
    }
}

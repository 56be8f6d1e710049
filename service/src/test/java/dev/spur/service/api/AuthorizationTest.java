package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.web.contract.Contract;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every operation of the contract, asked for by every role, confined and not, for what is its own and what is foreign.
 * What to expect is read off the contract, so that an operation without rules, or one whose code keeps to others, fails
 * here.
 */
class AuthorizationTest extends ApiTest {
    /** What there is none of in the world of this test, whoever asks. */
    private static final Set<String> MISSING = Set.of("getEtaOverview", "getRoundSnapshot");

    private static final Contract CONTRACT = ContractedClient.contract();

    private TwoTenantCluster teams;

    @BeforeEach
    void furnish() throws InterruptedException {
        world.reset();
        teams = new TwoTenantCluster(world);
        awaitFeed();
    }

    /** An operation as the contract describes it. */
    private record Rules(String method, String path, JsonNode node) {
        String id() {
            return node.path("operationId").asString();
        }

        boolean isOpenTo(Role role) {
            return node.path("x-spur-roles")
                    .valueStream()
                    .anyMatch(name -> name.asString().equals(role.name()));
        }

        String scope(String by) {
            return node.path("x-spur-scope").path(by).asString();
        }

        boolean namesSomething() {
            return path.contains("{");
        }

        String collection() {
            return path.split("/", -1)[3];
        }
    }

    private static void forEach(BiConsumer<Rules, Integer> ask) {
        int count = 0;
        for (Map.Entry<String, JsonNode> path :
                CONTRACT.document().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> item : path.getValue().properties()) {
                if (path.getKey().startsWith("/api/")) {
                    ask.accept(
                            new Rules(item.getKey().toUpperCase(Locale.ROOT), path.getKey(), item.getValue()), count++);
                }
            }
        }
        assertThat(count).isGreaterThan(60);
    }

    private Answer ask(ContractedClient client, Rules rules, String side) {
        teams.enrol();
        String path = rules.path();
        if (rules.namesSomething()) {
            path = path.replaceFirst("\\{\\w+}", teams.id(side, rules.collection()))
                    .replace("{assignmentId}", teams.id(side, "jobs") + ".1")
                    .replace("{deliveryId}", teams.id(side, "deliveries"));
        }
        List<String> headers = new ArrayList<>();
        for (JsonNode entry : rules.node().path("parameters")) {
            if (entry.path("$ref").asString("").endsWith("/IfMatch")) {
                headers.addAll(List.of("If-Match", "\"999\"")); // let in, but nothing is changed
            }
        }
        return client.send(rules.method(), path, body(rules), headers.toArray(String[]::new));
    }

    /** The first example of the contract, which fits the schema. */
    private static String body(Rules rules) {
        for (Map.Entry<String, JsonNode> content :
                rules.node().at("/requestBody/content").properties()) {
            JsonNode example = content.getValue()
                    .path("examples")
                    .properties()
                    .iterator()
                    .next()
                    .getValue();
            if (example.has("$ref")) {
                example = CONTRACT.document().at(example.path("$ref").asString().substring(1));
            }
            return example.path("value").toString();
        }
        return null;
    }

    private static void isLetIn(Rules rules, Answer answer) {
        assertThat(answer.status()).as("%s: %s", rules.id(), answer.text()).isNotIn(401, 403, 500, 503);
        if (!MISSING.contains(rules.id())) {
            assertThat(answer.status()).as("%s: %s", rules.id(), answer.text()).isNotEqualTo(404);
        }
    }

    @Test
    void whoShowsNoTokenThatCountsIsLetInNowhere() {
        ContractedClient nobody = api.with("spur_nobody");

        forEach((rules, n) ->
                assertThat(ask(nobody, rules, "own").status()).as(rules.id()).isEqualTo(401));
    }

    @ParameterizedTest
    @CsvSource({"VIEWER", "SUBMITTER", "EXECUTOR", "OPERATOR"})
    void aRoleOpensTheOperationsThatNameItAndNoOthers(Role role) {
        ContractedClient client = api.with(world.token(role, null, null));

        forEach((rules, n) -> {
            Answer answer = ask(client, rules, n % 2 == 0 ? "own" : "foreign");
            if (rules.isOpenTo(role)) {
                isLetIn(rules, answer);
            } else {
                assertThat(answer.status()).as(rules.id()).isEqualTo(403);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"VIEWER, tenants", "SUBMITTER, tenants", "EXECUTOR, node"})
    void whoIsConfinedMeetsItsOwnAndNothingOfOthers(Role role, String by) {
        boolean byTenant = by.equals("tenants");
        ContractedClient client = api.with(
                world.token(role, byTenant ? TwoTenantCluster.OWN : null, byTenant ? null : teams.id("own", "nodes")));

        forEach((rules, n) -> {
            Answer own = ask(client, rules, "own");
            Answer foreign = ask(client, rules, "foreign");
            String scope = rules.scope(by);
            if (!rules.isOpenTo(role) || scope.equals("forbidden")) {
                assertThat(List.of(own.status(), foreign.status()))
                        .as(rules.id())
                        .containsOnly(403);
                return;
            }
            isLetIn(rules, own);
            if (scope.equals("own")) {
                assertThat(foreign.status()).as(rules.id()).isEqualTo(404);
                String unknown = foreign.at("/detail").replace(teams.id("foreign", rules.collection()), "ID");
                assertThat(unknown).as("like what does not exist").matches("There is no \\w+ ID\\.");
            }
            if (!scope.equals("none") && rules.method().equals("GET")) {
                assertThat(own.text()).as(rules.id()).doesNotContain(teams.secrets());
            }
        });
    }

    @Test
    void listsShowAConfinedCallerItsOwn() {
        ContractedClient team = api.with(world.token(Role.VIEWER, TwoTenantCluster.OWN, null));
        ContractedClient node = api.with(world.token(Role.EXECUTOR, null, teams.id("own", "nodes")));

        for (String list : List.of("jobs", "tenants", "groups", "reservations", "webhooks")) {
            assertThat(team.get("/api/v1/" + list).is(200).text()).contains(teams.id("own", list));
        }
        for (String path : List.of("allocations", "plans/current", "plans/1", "plans/1/diff")) {
            assertThat(team.get("/api/v1/" + path).is(200).text()).contains(teams.id("own", "jobs"));
        }
        assertThat(node.get("/api/v1/jobs").is(200).text()).contains(teams.id("own", "jobs"));
        assertThat(node.get("/api/v1/nodes").is(200).text()).contains(teams.id("own", "nodes"));
    }

    @Test
    void aTenantReachesWhatIsBelowIt() {
        world.sql("update tenant set parent = ? where name = ?", TwoTenantCluster.OWN, TwoTenantCluster.FOREIGN);
        ContractedClient above = api.with(world.token(Role.VIEWER, TwoTenantCluster.OWN, null));
        ContractedClient below = api.with(world.token(Role.VIEWER, TwoTenantCluster.FOREIGN, null));

        above.get("/api/v1/jobs/" + teams.id("foreign", "jobs")).is(200);
        below.get("/api/v1/jobs/" + teams.id("own", "jobs")).is(404);
    }

    @Test
    void aJobOrGroupForAForeignTenantIsRefusedLikeOneForATenantThatThereIsNot() {
        ContractedClient team = api.with(world.token(Role.SUBMITTER, TwoTenantCluster.OWN, null));
        String job = Submissions.json(tree -> tree.put("tenant", TwoTenantCluster.FOREIGN));
        String group = "{\"tenant\": \"foreign-team\"}";

        assertThat(team.post("/api/v1/jobs", job).is(422).at("/errors/0/message"))
                .isEqualTo("there is no tenant foreign-team");
        String late = Submissions.json(
                tree -> tree.put("tenant", TwoTenantCluster.FOREIGN).put("deadline", "2020-01-01T00:00:00Z"));
        assertThat(team.post("/api/v1/jobs", late).is(422).text().replace(TwoTenantCluster.FOREIGN, "T"))
                .contains("there is no tenant T", "is in the past");
        assertThat(team.put("/api/v1/groups/new", group).is(422).at("/errors/0/message"))
                .isEqualTo("there is no tenant foreign-team");
        for (String unknown : List.of("foreign-group", "none")) {
            String inGroup = Submissions.json(tree -> {
                tree.put("tenant", TwoTenantCluster.OWN);
                ((ObjectNode) tree.path("spec")).put("group", unknown);
            });
            assertThat(team.post("/api/v1/jobs", inGroup).is(422).at("/errors/0/message"))
                    .isEqualTo("there is no group %s for tenant own-team".formatted(unknown));
        }
        team.put("/api/v1/groups/" + teams.id("foreign", "groups"), "{\"tenant\": \"own-team\"}")
                .is(404);
    }

    @Test
    void aWhatIfTouchesAndShowsOwnJobsAlone() {
        ContractedClient team = api.with(world.token(Role.SUBMITTER, TwoTenantCluster.OWN, null));
        String without = "{\"changes\": [{\"change\": \"REMOVE_JOB\", \"job\": \"%s\"}]}";

        team.post("/api/v1/what-if", without.formatted(teams.id("foreign", "jobs")))
                .is(422);
        String own = team.post("/api/v1/what-if", without.formatted(teams.id("own", "jobs")))
                .is(200)
                .text();
        assertThat(own).contains(teams.id("own", "jobs")).doesNotContain(teams.secrets());
    }

    @Test
    void anExecutorReportsOnAJobThatHasLeftItsNode() {
        ContractedClient node = api.with(world.token(Role.EXECUTOR, null, teams.id("own", "nodes")));
        world.sql(
                "update job set allocation = null, state = 'WAITING', generation = 2 where id = ?",
                teams.id("own", "jobs"));

        node.post("/api/v1/jobs/" + teams.id("own", "jobs") + "/progress", """
                {"generation": 1, "seq": 5, "samplesTotal": 10, "state": "RUNNING"}
                """).is(409);
    }
}

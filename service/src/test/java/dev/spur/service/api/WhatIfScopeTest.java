package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.security.Role;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every change of a what-if, asked by somebody who is confined to a tenant, with every name in it once foreign and once
 * a name that nobody has: the answers are alike. Which changes there are, and with which members, is read off the
 * contract.
 */
class WhatIfScopeTest extends ApiTest {
    /** Changes with all their members, and one's own names in angle brackets by where they are found. */
    private static final Map<String, String> CHANGES = new TreeMap<>(Map.ofEntries(
            Map.entry(
                    "ADD_NODES",
                    "{'nodes': [{'id': 'new', 'pool': 'main', 'acceleratorType': 'A100', 'devices': ['d']}]}"),
            Map.entry("REMOVE_NODES", "{'nodes': ['<nodes>']}"),
            Map.entry("SET_NODE_STATE", "{'node': '<nodes>', 'state': 'DRAINING'}"),
            Map.entry("ADD_JOB", "{'job': '<new>', 'tenant': '<tenants>', 'spec': SPEC, 'deadline': null}"),
            Map.entry("REMOVE_JOB", "{'job': '<jobs>'}"),
            Map.entry("RELEASE_HOLD", "{'job': '<jobs>'}"),
            Map.entry("ADD_PREPARATION", "{'preparation': '<new>', 'tenant': '<tenants>', 'spec': PREPARATION}"),
            Map.entry("SET_RESERVATION", """
                    {'reservation': '<reservations>', 'nodes': ['<nodes>'], 'tenant': '<tenants>', 'start': null, 'end': null,
                     'job': '<jobs>', 'recurrence': null, 'leadSeconds': null, 'slots': null}"""),
            Map.entry("REMOVE_RESERVATION", "{'reservation': '<reservations>'}"),
            Map.entry(
                    "SET_MAINTENANCE",
                    "{'window': 'later', 'nodes': ['<nodes>'], 'pool': null, 'start': '2001-01-01T00:00:00Z', 'end': '2255-03-13T16:00:00Z', 'recurrence': null, 'leadSeconds': 0}"),
            Map.entry("REMOVE_MAINTENANCE", "{'window': 'later'}"),
            Map.entry("SET_WEIGHT", "{'job': '<jobs>', 'weight': 2}"),
            Map.entry("SET_PRIORITY", "{'job': '<jobs>', 'priority': 1}"),
            Map.entry("SET_ELASTICITY", "{'job': '<jobs>', 'minSlots': 1, 'maxSlots': 2}"),
            Map.entry("SET_QUOTA", "{'tenant': '<tenants>', 'acceleratorType': 'A100', 'quota': {'nominal': 4}}"),
            Map.entry("SET_GROUP", "{'group': '<groups>', 'maxSlots': 1, 'maxJobs': 1}"),
            Map.entry("SET_OBJECTIVE", "{'objective': {'kind': 'FAIR_GOODPUT'}}"),
            Map.entry("SET_BUDGET", "{'gapTarget': 0.1, 'budget': {}}")));

    /** What belongs to nobody, and is everybody's to ask about. */
    private static final String START = "2001-01-01T00:00:00Z";

    private static final String END = "2255-03-13T16:00:00Z";
    private static final Set<String> EVERYBODYS =
            Set.of("main", "A100", "d", "new", "later", "DRAINING", "FAIR_GOODPUT", START, END);

    private static final Pattern NAME = Pattern.compile("<(\\w+)>");

    private TwoTenantCluster teams;
    private ContractedClient team;

    @BeforeEach
    void furnish() throws InterruptedException {
        world.reset();
        policy.use(Policies.spur()::plan);
        teams = new TwoTenantCluster(world);
        world.sql("""
                insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                values ('later', '{own-node}', now() + interval '1 h', now() + interval '2 h', 0)
                """);
        team = api.with(world.token(Role.SUBMITTER, TwoTenantCluster.OWN, null));
        awaitFeed();
    }

    private static String template(String kind) {
        String spec = RoundJson.mapper()
                .writeValueAsString(TestCluster.spec(1).edit().group("<groups>").build());
        return CHANGES.get(kind).replace('\'', '"').replace("SPEC", spec).replace("PREPARATION", """
                        {"cpus": 1, "workingSetGiB": 4, "minLocalFraction": 1, "seconds": 60,
                         "slowDown": {"points": [{"localFraction": 1, "factor": 1}]}}""");
    }

    /** What {@code name} stands for, which all names but that at {@code place} are one's own. */
    private String name(String collection, String side) {
        return switch (collection) {
            case "new" -> side.equals("own") ? "made-up" : name("jobs", side);
            default ->
                side.equals("nobody's")
                        ? collection.equals("jobs") || collection.equals("preparations")
                                ? "71111111-1111-4111-8111-111111111111"
                                : "unheard-of"
                        : teams.id(side, collection);
        };
    }

    /** The change with one's own names, but at {@code place} one of {@code side}. */
    private String change(String kind, int place, String side) {
        List<MatchResult> names = NAME.matcher(template(kind)).results().toList();
        StringBuilder change = new StringBuilder();
        int from = 0;
        for (int n = 0; n < names.size(); n++) {
            MatchResult name = names.get(n);
            change.append(template(kind), from, name.start()).append(name(name.group(1), n == place ? side : "own"));
            from = name.end();
        }
        return change.append(template(kind).substring(from)).toString();
    }

    private Answer ask(String kind, String members) {
        ObjectNode change = (ObjectNode) RoundJson.mapper().readTree(members);
        return team.post("/api/v1/what-if", "{\"changes\": [%s]}".formatted(change.put("change", kind)));
    }

    /** Status and errors, without what differs between two requests. */
    private String gist(Answer answer, String name) {
        return (answer.status() + " " + answer.json().path("errors")).replace(name, "NAME");
    }

    private void hold(boolean held) {
        if (held) {
            world.sql("update job set state = 'WAITING', allocation = null, resource_grant = null, held = true");
        }
    }

    /** Names of the other team. Nodes are nobody's, and jobs may lie on any of them. */
    private List<String> secrets() {
        List<String> secrets = new ArrayList<>(teams.secrets());
        secrets.removeAll(List.of(teams.id("foreign", "nodes")));
        return secrets;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForeignNameIsRejectedLikeAnUnknownOne(boolean held) {
        hold(held);
        for (String kind : CHANGES.keySet()) {
            List<MatchResult> names = NAME.matcher(template(kind)).results().toList();
            for (int place = 0; place < names.size(); place++) {
                String collection = names.get(place).group(1);
                if (collection.equals("nodes")) {
                    continue;
                }
                Answer foreign = ask(kind, change(kind, place, "foreign"));
                Answer nobodys = ask(kind, change(kind, place, "nobody's"));

                assertThat(foreign.status()).as(foreign.text()).isIn(200, 422);
                assertThat(gist(foreign, name(collection, "foreign")))
                        .as("%s with a foreign name out of %s", kind, collection)
                        .isEqualTo(gist(nobodys, name(collection, "nobody's")));
                List<String> others = secrets();
                others.remove(name(collection, "foreign"));
                assertThat(foreign.text()).doesNotContain(others);
            }
        }
    }

    @Test
    void ownAndUnownedResourcesAreAllowed() {
        Set<String> answered = new HashSet<>();
        for (boolean held : new boolean[] {false, true}) {
            hold(held);
            for (String kind : CHANGES.keySet()) {
                Answer answer = ask(kind, change(kind, -1, "own"));
                if (answer.status() == 200) {
                    answered.add(kind);
                    assertThat(answer.text()).as(kind).doesNotContain(secrets());
                }
            }
        }

        assertThat(answered).isEqualTo(CHANGES.keySet());
    }

    @Test
    void noChangeAndNoNameIsForgottenHere() {
        JsonNode schemas = ContractedClient.contract().document().at("/components/schemas");
        JsonNode change = schemas.path("WhatIfChange");
        assertThat(change.at("/properties/change/enum").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(CHANGES.keySet());
        for (JsonNode branch : change.path("allOf")) {
            String kind = branch.at("/if/properties/change/const").asString();
            String schema = branch.at("/then/$ref").asString().replaceFirst(".*/", "");
            JsonNode members = RoundJson.mapper().readTree(template(kind));

            assertThat(schemas.at("/" + schema + "/properties").propertyNames())
                    .filteredOn(member -> !member.equals("change"))
                    .as(kind)
                    .allMatch(members::has);
            for (JsonNode member : members) {
                assertThat(texts(member, kind)).as(kind).isSubsetOf(EVERYBODYS);
            }
        }
    }

    /** Texts that are no names of ours: but for groups there are none in what is asked for of a job. */
    private static Set<String> texts(JsonNode tree, String kind) {
        Set<String> texts = new HashSet<>();
        if (tree.isString() && !NAME.matcher(tree.asString()).matches()) {
            texts.add(tree.asString());
        }
        if (!kind.equals("ADD_JOB")) {
            tree.forEach(child -> texts.addAll(texts(child, kind)));
        }
        return texts;
    }

    @Test
    void everythingOutOfScopeIsReportedAtOnce() {
        String changes = """
                {"changes": [{"change": "SET_QUOTA", "tenant": "foreign-team", "acceleratorType": "none", "quota": null},
                             {"change": "SET_QUOTA", "tenant": "root", "acceleratorType": "A100", "quota": null},
                             {"change": "SET_GROUP", "group": "foreign-group"},
                             {"change": "REMOVE_JOB", "job": "%s"}]}
                """.formatted(teams.id("foreign", "jobs"));

        assertThat(team.post("/api/v1/what-if", changes)
                        .is(422)
                        .json()
                        .path("errors")
                        .valueStream()
                        .map(error -> error.path("pointer").asString()))
                .containsExactly(
                        "/changes/0/tenant",
                        "/changes/0/acceleratorType",
                        "/changes/1/tenant",
                        "/changes/2/group",
                        "/changes/3/job");
    }

    @Test
    void aJobWithoutTenantIsAddedToTheOnlyTenantOfTheCaller() {
        ObjectNode job = (ObjectNode) RoundJson.mapper().readTree(change("ADD_JOB", -1, "own"));
        job.remove("tenant");

        ask("ADD_JOB", job.toString()).is(200);
        job.put("tenant", "root");
        assertThat(ask("ADD_JOB", job.toString()).is(422).at("/errors/0/message"))
                .isEqualTo("tenant root does not exist");
    }

    @Test
    void jobsMayBeMadeUpInAGroupForAllTenantsButItsCapIsNotTheirs() {
        world.sql("insert into job_group (name, tenant) values ('everybodys', 'root')");
        String job = template("ADD_JOB")
                .replace("<new>", "made-up")
                .replace("<tenants>", TwoTenantCluster.OWN)
                .replace("<groups>", "everybodys");

        ask("ADD_JOB", job).is(200);
        assertThat(ask("SET_GROUP", "{\"group\": \"everybodys\"}").is(422).at("/errors/0/message"))
                .isEqualTo("group everybodys does not exist");
    }
}

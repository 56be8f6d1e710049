package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTest extends ApiTest {
    private static final String POOL = "/api/v1/pools/p";

    @Nested
    class EntityTags {
        @Test
        void aResourceIsCreatedReadReplacedAndDeleted() {
            var created = api.put(POOL, "{}").is(201);
            assertThat(created.header("Location")).isEqualTo(POOL);
            assertThat(created.at("/name")).isEqualTo("p");
            assertThat(api.get(POOL).is(200).etag()).isEqualTo(created.etag());

            var replaced = api.put(POOL, "{\"wholeNodes\": true}", "If-Match", created.etag())
                    .is(200);
            assertThat(replaced.etag()).isNotEqualTo(created.etag());
            assertThat(api.get(POOL).json().path("wholeNodes").booleanValue()).isTrue();

            api.delete(POOL).is(204);
            api.get(POOL).is(ProblemType.NOT_FOUND);
            api.delete(POOL).is(ProblemType.NOT_FOUND);
        }

        @Test
        void aReaderWhoHasTheResourceGetsNothing() {
            String tag = api.put(POOL, "{}").etag();

            var unchanged = api.get(POOL, "If-None-Match", "\"99\", " + tag).is(304);
            assertThat(unchanged.raw().body()).isEmpty();
            assertThat(unchanged.etag()).isEqualTo(tag);
            api.get(POOL, "If-None-Match", "\"99\"").is(200);
        }

        @Test
        void aChangeOfWhatExistsMustNameItsVersion() {
            String tag = api.put(POOL, "{}").etag();

            assertThat(api.put(POOL, "{}").is(200).etag()).isEqualTo(tag);
            api.put(POOL, "{}", "If-Match", "\"77\"").is(ProblemType.PRECONDITION_FAILED);
            assertThat(api.put(POOL, "{\"wholeNodes\": true}")
                            .is(ProblemType.PRECONDITION_REQUIRED)
                            .at("/errors/0/header"))
                    .isEqualTo("If-Match");
            api.put(POOL, "{\"wholeNodes\": true}", "If-Match", "\"77\"").is(ProblemType.PRECONDITION_FAILED);
            api.put(POOL, "{\"wholeNodes\": true}", "If-Match", "W/" + tag).is(ProblemType.PRECONDITION_FAILED);
            api.put(POOL, "{\"wholeNodes\": true}", "If-None-Match", "*").is(ProblemType.PRECONDITION_FAILED);
            api.put("/api/v1/pools/other", "{}", "If-Match", tag).is(ProblemType.PRECONDITION_FAILED);
            api.delete(POOL, "If-Match", "\"77\"").is(ProblemType.PRECONDITION_FAILED);
            assertThat(api.get(POOL).etag()).isEqualTo(tag);

            api.put(POOL, "{\"wholeNodes\": true}", "If-Match", "*").is(200);
        }

        @Test
        void whatIsReplacedByItselfStaysAsItIs() {
            String tag = api.put(POOL, "{}").etag();

            assertThat(api.put(POOL, "{}", "If-Match", tag).is(200).etag()).isEqualTo(tag);
        }
    }

    @Nested
    class Lists {
        @Test
        void arePagedInOrderAndTheLinkLeadsOn() {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                api.put("/api/v1/pools/p" + i, "{}").is(201);
            }
            String next = "/api/v1/pools?limit=2";
            int pages = 0;
            while (next != null) {
                var page = api.get(next).is(200);
                page.json()
                        .path("items")
                        .forEach(pool -> names.add(pool.path("name").asString()));
                next = page.find("Link")
                        .map(link -> link.substring(1, link.indexOf('>')))
                        .orElse(null);
                assertThat(page.json().path("next").isNull()).isEqualTo(next == null);
                pages++;
            }
            assertThat(names).containsExactly("p0", "p1", "p2", "p3", "p4");
            assertThat(pages).isEqualTo(3);
        }

        @Test
        void knowACursorThatIsNone() {
            assertThat(api.get("/api/v1/pools?cursor=A").is(400).at("/errors/0/parameter"))
                    .isEqualTo("cursor");
        }
    }

    @Nested
    class Nodes {
        @Test
        void takeDefaultsForWhatIsLeftOut() {
            cluster();
            var node =
                    api.put("/api/v1/nodes/n", "{\"pool\": \"main\"}").is(201).json();

            assertThat(node.path("state").asString()).isEqualTo("ACTIVE");
            assertThat(node.path("devices").isEmpty()).isTrue();
        }

        @Test
        void needAPoolAndATypeThatExist() {
            var problem = api.put("/api/v1/nodes/n", "{\"pool\": \"x\", \"acceleratorType\": \"y\"}")
                    .is(ProblemType.UNPROCESSABLE);

            assertThat(problem.json().path("errors").findValuesAsString("pointer"))
                    .containsExactlyInAnyOrder("/pool", "/acceleratorType");
        }

        @Test
        void needATypeForTheirDevices() {
            cluster();
            api.put("/api/v1/nodes/n", "{\"pool\": \"main\", \"devices\": [\"d\"]}")
                    .is(ProblemType.UNPROCESSABLE);
        }

        @ParameterizedTest
        @CsvSource({"drain,DRAINING", "cordon,CORDONED", "mark-lost,LOST", "activate,ACTIVE"})
        void changeTheirStateOnDemand(String action, String state) {
            cluster(4);
            assertThat(api.post("/api/v1/nodes/n0/" + action).is(200).at("/state"))
                    .isEqualTo(state);
            String tag = api.get("/api/v1/nodes/n0").etag();
            assertThat(api.post("/api/v1/nodes/n0/" + action).is(200).etag()).isEqualTo(tag);
            api.post("/api/v1/nodes/gone/" + action).is(ProblemType.NOT_FOUND);
        }

        @Test
        void arePatchedAndNullMeansTheDefault() {
            cluster(4);
            String tag = api.get("/api/v1/nodes/n0").etag();
            api.patch("/api/v1/nodes/n0", "{\"rack\": \"r1\"}").is(ProblemType.PRECONDITION_REQUIRED);
            var patched = api.patch("/api/v1/nodes/n0", "{\"rack\": \"r1\", \"cpus\": null}", "If-Match", tag)
                    .is(200);

            assertThat(patched.at("/rack")).isEqualTo("r1");
            assertThat(patched.json().path("cpus").doubleValue()).isZero();
            assertThat(patched.json().path("devices").size()).isEqualTo(4);
            api.patch("/api/v1/nodes/n0", "{\"rack\": null}", "If-Match", patched.etag())
                    .is(200);
            api.patch("/api/v1/nodes/n0", "{\"acceleratorType\": null}", "If-Match", "*")
                    .is(ProblemType.UNPROCESSABLE);
        }

        @Test
        void areNotDeletedWhileReserved() {
            cluster(4);
            api.put("/api/v1/reservations/r", """
                    {"nodes": ["n0"], "start": "2030-01-01T00:00:00Z", "end": "2030-01-02T00:00:00Z"}
                    """).is(201);

            api.delete("/api/v1/nodes/n0").is(ProblemType.IN_USE);
            api.delete("/api/v1/reservations/r").is(204);
            api.delete("/api/v1/nodes/n0").is(204);
        }

        @Test
        void keepTheirTypeAndPoolInUse() {
            cluster(4);

            assertThat(api.delete("/api/v1/pools/main").is(ProblemType.IN_USE).at("/errors/0/message"))
                    .isEqualTo("nodes refer to the pool main");
            api.delete("/api/v1/accelerator-types/A100").is(ProblemType.IN_USE);
        }
    }

    @Nested
    class Reservations {
        @Test
        void nameWhatExistsAndEndAfterTheyStart() {
            var problem = api.put("/api/v1/reservations/r", """
                    {"nodes": ["a", "b"], "tenant": "c", "start": "2030-01-01T00:00:00Z", "end": "2030-01-02T00:00:00Z"}
                    """).is(ProblemType.UNPROCESSABLE);
            assertThat(problem.json().path("errors").findValuesAsString("pointer"))
                    .containsExactly("/nodes/0", "/nodes/1", "/tenant");
            assertThat(api.put("/api/v1/reservations/r", """
                    {"nodes": ["a"], "start": "2030-01-03T00:00:00Z", "end": "2030-01-02T00:00:00Z"}
                    """)
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/end");
        }
    }

    @Nested
    class Tenants {
        @Test
        void movedBelowEachOtherAtTheSameTimeStayATree() throws Exception {
            api.put("/api/v1/tenants/a", "{\"parent\": \"root\"}").is(201);
            api.put("/api/v1/tenants/b", "{\"parent\": \"root\"}").is(201);
            List<Callable<Integer>> moves = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String name = i % 2 == 0 ? "a" : "b";
                String body = "{\"parent\": \"%s\", \"weight\": %d}".formatted(i % 2 == 0 ? "b" : "a", i + 2);
                moves.add(() -> api.put("/api/v1/tenants/" + name, body, "If-Match", "*")
                        .raw()
                        .statusCode());
            }
            var pool = Executors.newFixedThreadPool(8);
            List<Integer> statuses = new ArrayList<>();
            for (var answer : pool.invokeAll(moves)) {
                statuses.add(answer.get());
            }
            pool.shutdown();

            assertThat(statuses).containsOnly(200, 422);
        }

        @Test
        void areATree() {
            api.put("/api/v1/tenants/a", "{\"parent\": \"root\"}").is(201);
            api.put("/api/v1/tenants/b", "{\"parent\": \"a\"}").is(201);

            assertThat(api.put("/api/v1/tenants/a", "{\"parent\": \"b\"}", "If-Match", "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/parent");
            api.put("/api/v1/tenants/a", "{\"parent\": \"a\"}", "If-Match", "*").is(ProblemType.UNPROCESSABLE);
            api.put("/api/v1/tenants/c", "{\"parent\": \"c\"}").is(ProblemType.UNPROCESSABLE);
            api.put("/api/v1/tenants/c", "{\"parent\": \"nobody\"}").is(ProblemType.UNPROCESSABLE);
            api.delete("/api/v1/tenants/a").is(ProblemType.IN_USE);
            api.delete("/api/v1/tenants/b").is(204);
            api.delete("/api/v1/tenants/a").is(204);
        }

        @Test
        void haveQuotasOfKnownTypes() {
            api.put("/api/v1/tenants/a", "{\"quotas\": {\"H100\": {\"nominal\": 4}}}")
                    .is(ProblemType.UNPROCESSABLE);
            api.put("/api/v1/accelerator-types/H100", "{}").is(201);
            var tenant = api.put("/api/v1/tenants/a", "{\"quotas\": {\"H100\": {\"nominal\": 4}}}")
                    .is(201);
            assertThat(tenant.json().at("/quotas/H100/borrowingLimit").isNull()).isTrue();
            api.delete("/api/v1/accelerator-types/H100").is(ProblemType.IN_USE);
        }
    }

    @Nested
    class SettingsOfRounds {
        @Test
        void haveDefaultsAndAreReplacedAsAWhole() {
            var first = api.get("/api/v1/settings").is(200);
            assertThat(first.json().path("roundSeconds").doubleValue()).isEqualTo(60);
            assertThat(api.put("/api/v1/settings", "{}").is(200).etag()).isEqualTo(first.etag());
            api.put("/api/v1/settings", "{\"roundSeconds\": 5}").is(ProblemType.PRECONDITION_REQUIRED);

            var changed = api.put(
                            "/api/v1/settings",
                            "{\"planning\": {\"objective\": {\"kind\": \"PROGRESS\"}}, \"roundSeconds\": 5}",
                            "If-Match",
                            first.etag())
                    .is(200);
            assertThat(changed.at("/planning/objective/kind")).isEqualTo("PROGRESS");
            assertThat(changed.json().at("/planning/budget/workers").intValue()).isEqualTo(1);
            assertThat(api.get("/api/v1/settings").json()).isEqualTo(changed.json());
            api.put("/api/v1/settings", "{}", "If-Match", first.etag()).is(ProblemType.PRECONDITION_FAILED);
            api.put("/api/v1/settings", "{}", "If-Match", changed.etag()).is(200);
        }

        @Test
        void areChangedByAMergePatchWithTheSameValidation() {
            String settings = "/api/v1/settings";
            api.patch(settings, "{\"roundSeconds\": 7}").is(ProblemType.PRECONDITION_REQUIRED);
            var changed = api.patch(
                            settings,
                            "{\"roundSeconds\": 7, \"planning\": {\"objective\": {\"kind\": \"PROGRESS\"}}}",
                            "If-Match",
                            "*")
                    .is(200);
            assertThat(changed.json().path("roundSeconds").doubleValue()).isEqualTo(7);
            assertThat(changed.at("/planning/objective/kind")).isEqualTo("PROGRESS");
            var reset = api.patch(settings, "{\"planning\": null}", "If-Match", changed.etag())
                    .is(200);
            assertThat(reset.json().path("roundSeconds").doubleValue()).isEqualTo(7);
            assertThat(reset.at("/planning/objective/kind")).isNotEqualTo("PROGRESS");
            assertThat(api.patch(
                                    settings,
                                    "{\"planning\": {\"bogus\": 1, \"objective\": {\"kind\": 3}}}",
                                    "If-Match",
                                    "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .json()
                            .path("errors")
                            .findValuesAsString("pointer"))
                    .contains("/planning/bogus", "/planning/objective/kind");
            assertThat(api.patch(
                                    settings,
                                    "{\"planning\": {\"objective\": {\"queueLimits\": [5, 3]}}}",
                                    "If-Match",
                                    "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/planning/objective/queueLimits");
        }

        @Test
        void areCheckedBeyondTheSchema() {
            assertThat(api.put(
                                    "/api/v1/settings",
                                    "{\"planning\": {\"objective\": {\"queueLimits\": [5, 3]}}}",
                                    "If-Match",
                                    "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/planning/objective/queueLimits");
        }
    }
}

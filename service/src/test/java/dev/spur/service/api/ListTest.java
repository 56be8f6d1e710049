package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Filters and pages of lists, which follow one rule. */
class ListTest extends ApiTest {
    private static final String API = "/api/v1/";
    private static final Set<String> OTHER_RANGES = Set.of("from", "to", "within", "ended", "start", "end");

    private List<String> names(String query) {
        List<String> names = new ArrayList<>();
        api.get(API + query)
                .is(200)
                .json()
                .path("items")
                .forEach(item ->
                        names.add(item.path("id").asString(item.path("name").asString(""))));
        return names;
    }

    @Test
    void everyListTakesLimitAndCursorAndTimeRangesAreSinceAndUntil() {
        ContractedClient.contract().document().path("paths").properties().forEach(path -> {
            JsonNode get = path.getValue().path("get");
            List<String> parameters = new ArrayList<>();
            get.path("parameters")
                    .forEach(parameter -> parameters.add(
                            parameter.has("$ref")
                                    ? parameter
                                            .path("$ref")
                                            .asString()
                                            .replaceAll(".*/", "")
                                            .toLowerCase(java.util.Locale.ROOT)
                                    : parameter.path("name").asString()));
            String schema = get.at("/responses/200/content/application~1json/schema/$ref")
                    .asString("");
            if (schema.endsWith("Page")) {
                assertThat(parameters).as(path.getKey()).contains("limit", "cursor");
            }
            assertThat(parameters).as(path.getKey()).doesNotContainAnyElementsOf(OTHER_RANGES);
            assertThat(parameters.contains("since")).as(path.getKey()).isEqualTo(parameters.contains("until"));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'nodes', 'n0 n1 n2'",
        "'nodes?pool=main', 'n0 n1 n2'",
        "'nodes?pool=other', ''",
        "'nodes?state=CORDONED', 'n1'",
        "'nodes?state=CORDONED&state=DRAINING', 'n1 n2'",
        "'nodes?state=ACTIVE&acceleratorType=A100', 'n0'",
        "'nodes?acceleratorType=H100', ''",
        "'tenants?parent=root', 'small'",
        "'groups?tenant=small', 'sweep'",
        "'groups?tenant=root', ''",
        "'reservations?state=ACTIVE', 'now'",
        "'reservations?state=SCHEDULED', 'later'",
        "'reservations?state=ENDED', ''",
        "'reservations?node=n0&tenant=small', 'now'",
        "'maintenance-windows?state=SCHEDULED', 'update'",
        "'maintenance-windows?state=ENDED', ''",
        "'maintenance-windows?node=n2', 'update'"
    })
    void filtersAreCombined(String query, String expected) {
        cluster(1, 1, 1);
        api.post(API + "nodes/n1/cordon").is(200);
        api.post(API + "nodes/n2/drain").is(200);
        api.put(API + "tenants/small", "{\"parent\": \"root\"}").is(201);
        api.put(API + "groups/sweep", "{\"tenant\": \"small\", \"maxSlots\": 5}")
                .is(201);
        api.put(API + "reservations/now", "{\"nodes\": [\"n0\"], \"tenant\": \"small\"}")
                .is(201);
        api.put(
                        API + "reservations/later",
                        "{\"nodes\": [\"n1\"], \"tenant\": \"small\", \"start\": \"2099-01-01T00:00:00Z\"}")
                .is(201);
        api.put(
                        API + "maintenance-windows/update",
                        "{\"nodes\": [\"n2\"], \"start\": \"2099-01-01T00:00:00Z\", \"end\": \"2099-01-02T00:00:00Z\"}")
                .is(201);

        assertThat(String.join(" ", names(query))).isEqualTo(expected);
    }

    @Test
    void aFilteredListHasPages() {
        cluster(1, 1, 1, 1, 1);
        api.post(API + "nodes/n1/cordon").is(200);
        api.post(API + "nodes/n3/cordon").is(200);

        JsonNode first = api.get(API + "nodes?state=ACTIVE&limit=2").is(200).json();
        assertThat(first.path("items").findValuesAsString("id")).containsExactly("n0", "n2");
        assertThat(names("nodes?state=ACTIVE&limit=2&cursor="
                        + first.path("next").asString()))
                .containsExactly("n4");
    }

    @Test
    void jobsAndTheQueueAreFiltered() {
        cluster(1);
        String job = world.job(4);
        assertThat(names("jobs?since=2020-01-01T00:00:00Z")).containsExactly(job);
        assertThat(names("jobs?until=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(api.get(API + "queue?tenant=root&reason=NOT_EVALUATED&reason=HELD")
                        .is(200)
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(api.get(API + "queue?reason=HELD")
                        .is(200)
                        .json()
                        .path("items")
                        .size())
                .isZero();
        assertThat(api.get(API + "queue?tenant=other")
                        .is(200)
                        .json()
                        .path("items")
                        .size())
                .isZero();
    }

    @Test
    void roundsAreFiltered() {
        world.sql("""
                insert into round (number, lease_term, trigger, requested_at, started_at, status)
                values (7, 1, 'test', '2026-01-01', '2026-01-01', 'FAILED'), (8, 1, 'test', '2026-02-01', '2026-02-01', 'FAILED')
                """);
        assertThat(numbers("rounds?status=FAILED")).isEqualTo("8 7");
        assertThat(numbers("rounds?status=PUBLISHED")).isEmpty();
        assertThat(numbers("rounds?since=2026-01-15T00:00:00Z")).isEqualTo("8");
        assertThat(numbers("rounds?until=2026-01-15T00:00:00Z&status=FAILED")).isEqualTo("7");
    }

    private String numbers(String query) {
        return String.join(
                " ", api.get(API + query).is(200).json().path("items").findValuesAsString("number"));
    }

    @Test
    void tokensExecutorsAndConnectorsAreFiltered() {
        world.token(Role.VIEWER, null, null);
        assertThat(api.get(API + "tokens?state=ACTIVE")
                        .is(200)
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(api.get(API + "tokens?state=REVOKED")
                        .is(200)
                        .json()
                        .path("items")
                        .size())
                .isZero();
        api.get(API + "executors?state=LOST&node=n0").is(200);
        api.get(API + "connectors?controlLevel=ADMIT").is(200);
        api.get(API + "plans?since=2026-01-01T00:00:00Z").is(200);
        api.get(API + "aggregators?node=n0").is(200);
        api.get(API + "nodes?state=BROKEN").is(ProblemType.INVALID_REQUEST);
    }
}

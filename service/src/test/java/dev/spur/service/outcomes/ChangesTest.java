package dev.spur.service.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The list of the changes of allocations over time. */
class ChangesTest extends PastCluster {
    private static final String PATH = "/api/v1/changes?since=2026-01-10T06:00:00Z&until=2026-01-10T10:00:00Z";
    private String job;

    /** It starts, grows, loses its slots, starts again, and ends. */
    @BeforeEach
    void addAJob() {
        job = job("x", "05:00:00");
        held(job, 1, "START", 2, "06:00:00", "07:00:00", "06:00:00");
        held(job, 2, "GROW", 4, "07:00:00", "08:00:00", "07:00:30");
        held(job, 3, "START", 2, "08:30:00", "09:00:00", null);
        ended(job, "DONE", "09:00:00");
    }

    private List<JsonNode> changes(String query) {
        return api.get(PATH + query).is(200).json().path("items").valueStream().toList();
    }

    private static int slots(JsonNode change, String member) {
        return change.at("/" + member + "/placement/0/devices").size();
    }

    @Test
    void areInOneListTheNewestFirst() {
        List<JsonNode> changes = changes("");

        assertThat(changes)
                .extracting(change -> change.path("change").asString())
                .containsExactly("END", "START", "REQUEUE", "GROW", "START");
        assertThat(changes)
                .extracting(change -> slots(change, "before") + " to " + slots(change, "after"))
                .containsExactly("2 to 0", "0 to 2", "4 to 0", "2 to 4", "0 to 2");
        assertThat(changes.get(3).path("at").asString()).isEqualTo("2026-01-10T07:00:00Z");
        assertThat(changes.get(3).path("jobName").asString()).isEqualTo("a job");
    }

    @Test
    void restartsHaveTheirStall() {
        List<JsonNode> changes = changes("");

        assertThat(changes)
                .extracting(change -> change.path("restart").booleanValue())
                .containsExactly(false, true, false, true, false);
        assertThat(changes.get(3).path("stallSeconds").doubleValue()).isEqualTo(30);
        assertThat(changes.get(1).path("stallSeconds").doubleValue())
                .as("no progress until its end")
                .isEqualTo(1800);
        assertThat(changes.get(4).path("stallSeconds").isNull()).isTrue();
    }

    @Test
    void haveTheRestartsAndStallsOfTheOutcomes() {
        JsonNode total = api.get("/api/v1/outcomes?since=2026-01-10T06:00:00Z&until=2026-01-10T10:00:00Z")
                .is(200)
                .json()
                .path("total");

        List<JsonNode> restarts = changes("").stream()
                .filter(change -> change.path("restart").booleanValue())
                .toList();
        assertThat(total.path("restarts").intValue()).isEqualTo(restarts.size());
        assertThat(total.at("/restartStallSeconds/mean").doubleValue())
                .isEqualTo(restarts.stream()
                        .mapToDouble(change -> change.path("stallSeconds").doubleValue())
                        .average()
                        .orElseThrow());
    }

    @Test
    void nameThePlanAndItsRound() {
        world.sql("""
                insert into plan (revision, round_number, lease_term, published_at, node_revisions, summary, body)
                values (1, 1, 1, now(), '{}', '{}', '{}')
                """);
        world.sql("""
                update job_allocation set message = 'It waits.' where job_id = ? and plan_revision = 1
                """, job);

        JsonNode grown = changes("").get(3);

        assertThat(grown.path("planRevision").intValue()).isEqualTo(1);
        assertThat(grown.path("trigger").asString()).isEqualTo("test");
        assertThat(grown.path("message").asString()).isEqualTo("It waits.");
        assertThat(changes("").get(0).path("planRevision").isNull()).isTrue();
    }

    @Test
    void areThoseOfTheRangeTheJobAndTheTenants() {
        String other = job("y", "05:00:00");
        held(other, 1, "START", 1, "06:30:00", null, null);

        assertThat(changes("")).hasSize(6);
        assertThat(changes("&job=" + other)).hasSize(1);
        assertThat(api.get("/api/v1/changes?since=2026-01-10T06:45:00Z&until=2026-01-10T07:30:00Z")
                        .is(200)
                        .json()
                        .path("items"))
                .hasSize(1);
        assertThat(api.with(world.token(Role.VIEWER, "y", null))
                        .get(PATH)
                        .is(200)
                        .json()
                        .path("items"))
                .hasSize(1);
    }

    @Test
    void comePageByPageEachOnce() {
        JsonNode first = api.get(PATH + "&limit=3").is(200).json();
        JsonNode second = api.get(PATH + "&limit=3&cursor=" + first.path("next").asString())
                .is(200)
                .json();

        assertThat(first.path("items")).hasSize(3);
        assertThat(second.path("items")).hasSize(2);
        assertThat(second.path("next").isNull()).isTrue();
    }
}

package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What all jobs have held of late. */
class AllocationTest extends ApiTest {
    private static final String PATH = "/api/v1/allocations";
    private String first;

    @BeforeEach
    void twoJobsOfWhichOneChanged() {
        cluster(8);
        first = world.job(1);
        held(first, 1, "now() - interval '3 hours'", "now() - interval '2 hours'");
        held(first, 2, "now() - interval '2 hours'", "now() - interval '10 seconds'");
        held(world.job(2), 1, "now() - interval '5 hours'", "null");
    }

    private void held(String job, int generation, String from, String until) {
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                values (?, ?, 1, 'START', cast(? as jsonb), %s, %s)
                """.formatted(from, until), job, generation, """
                {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [2], "strategy": "ALL_REDUCE",
                  "aggregationSlots": 0, "batchSize": 64, "accumulationSteps": 0},
                 "placement": [{"node": "n0", "devices": ["d0", "d1"]}], "aggregation": [], "since": 0}
                """);
    }

    private static String ago(long seconds) {
        return Instant.now()
                .minusSeconds(seconds)
                .truncatedTo(ChronoUnit.MILLIS)
                .toString();
    }

    private JsonNode items(String query) {
        return api.get(PATH + query).is(200).json().path("items");
    }

    @Test
    void lookBackAsFarAsAskedFor() {
        assertThat(items("").size()).as("within the hour").isEqualTo(2);
        assertThat(items("?since=" + ago(5)).size()).as("only what still holds").isEqualTo(1);
        assertThat(items("?since=" + ago(86_400)).size()).isEqualTo(3);
        assertThat(items("?since=" + ago(86_400) + "&until=" + ago(9_000)).size())
                .as("what began before then")
                .isEqualTo(2);
    }

    @Test
    void sayWhoHeldWhatWhere() {
        JsonNode newest = items("")
                .valueStream()
                .filter(item -> item.path("jobId").asString().equals(first))
                .findFirst()
                .orElseThrow();

        assertThat(newest.path("jobName").asString()).isEqualTo("a job");
        assertThat(newest.path("generation").asInt()).isEqualTo(2);
        assertThat(newest.path("slots").asInt()).isEqualTo(2);
        assertThat(newest.at("/placement/0/node").asString()).isEqualTo("n0");
        assertThat(newest.at("/placement/0/devices")).hasSize(2);
        assertThat(newest.path("endedAt").isNull()).isFalse();
    }

    @Test
    void comePageByPageEachOnce() {
        JsonNode page =
                api.get(PATH + "?since=" + ago(86_400) + "&limit=1").is(200).json();
        int seen = 1;
        while (!page.path("next").isNull()) {
            page = api.get(PATH + "?since=" + ago(86_400) + "&limit=1&cursor="
                            + page.path("next").asString())
                    .is(200)
                    .json();
            seen += page.path("items").size();
        }

        assertThat(seen).isEqualTo(3);
    }

    @Test
    void anInventedCursorIsRefused() {
        api.get(PATH + "?cursor=eA").is(400);
    }
}

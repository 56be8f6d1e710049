package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Who has used how much of what. */
class UsageTest extends ApiTest {
    private static final String PATH = "/api/v1/usage";
    private static final String JANUARY = "since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z";

    @BeforeEach
    void twoSlotsForThreeHours() {
        cluster(8);
        world.sql("update node set price_per_slot_hour = 2.5 where id = 'n0'");
        String job = world.job(1);
        world.sql("update job set labels = '{\"project\": \"=cmd, \\\"x\\\"\"}' where id = ?", job);
        held(job, 1, "n0", "2026-01-10T00:00:00Z", "2026-01-10T03:00:00Z");
        held(world.job(1), 1, "gone", "2026-01-31T23:00:00Z", "2026-02-02T00:00:00Z");
    }

    private void held(String job, int generation, String node, String from, String until) {
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                values (?, ?, 1, 'START', cast(? as jsonb), cast(? as timestamptz), cast(? as timestamptz))
                """, job, generation, """
                {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [2], "strategy": "PARAMETER_SERVER",
                  "aggregationSlots": 0.5, "batchSize": 64, "accumulationSteps": 0},
                 "placement": [{"node": "%s", "devices": ["d0", "d1"]}], "aggregation": [], "since": 0}
                """.formatted(node), from, until);
    }

    private JsonNode rows(String query) {
        return api.get(PATH + "?" + query).is(200).json().path("rows");
    }

    private static void isClose(JsonNode number, double expected) {
        assertThat(number.asDouble()).isCloseTo(expected, within(1e-9));
    }

    @Test
    void hoursWithinTheTimeCountAndOthersDoNot() {
        JsonNode row = rows(JANUARY).path(0);

        assertThat(row.path("key").asString()).isEqualTo("root");
        assertThat(row.path("acceleratorType").asString()).isEqualTo("A100");
        isClose(row.path("slotHours"), 2 * 3 + 2 * 1);
        isClose(row.path("aggregationSlotHours"), 0.5 * 4);
        isClose(row.path("cost"), 2.5 * 2 * 3);
        assertThat(row.path("jobs").asInt()).isEqualTo(2);
        assertThat(rows("since=2026-03-01T00:00:00Z&until=2026-04-01T00:00:00Z"))
                .isEmpty();
    }

    @Test
    void whatStillHoldsCountsUpToNow() {
        String job = world.job(4);
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at)
                select ?, 1, 1, 'START', allocation, now() - interval '2 hours' from job_allocation limit 1
                """, job);

        JsonNode rows = rows("by=owner");

        assertThat(rows.path(0).path("key").asString()).isEqualTo("ann");
        assertThat(rows.path(0).path("slotHours").asDouble()).isCloseTo(4, within(0.1));
        assertThat(rows).hasSize(1);
    }

    @Test
    void byLabelThoseWithoutItComeLast() {
        JsonNode rows = rows(JANUARY + "&by=label&label=project");

        assertThat(rows).hasSize(2);
        assertThat(rows.path(0).path("key").asString()).isEqualTo("=cmd, \"x\"");
        assertThat(rows.path(1).path("key").isNull()).isTrue();
        isClose(rows.path(1).path("slotHours"), 2);
    }

    @Test
    void theTableIsSafeForSpreadsheets() {
        String table = api.get(PATH + "/table?" + JANUARY + "&by=label&label=project")
                .is(200)
                .text();

        assertThat(table).isEqualTo("""
                        key,accelerator_type,slot_hours,aggregation_slot_hours,cost,jobs,allocations
                        "'=cmd, ""x\""","A100",6.0000,1.5000,15.0000,1,1
                        ,"A100",2.0000,0.5000,0.0000,1,1
                        """.replace("\n", "\r\n"));
    }

    @Nested
    class EveryMistakeIsNamed {
        @Test
        void timesThatEndBeforeTheyBeginAndALabelThatIsMissing() {
            Answer refused = api.get(PATH + "?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z&by=label")
                    .is(ProblemType.INVALID_REQUEST);

            assertThat(refused.json().path("errors").findValuesAsString("parameter"))
                    .containsExactly("since", "label");
        }

        @Test
        void longerThanAYearAndALabelThatMeansNothing() {
            Answer refused = api.get(PATH + "?since=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z&label=x")
                    .is(ProblemType.INVALID_REQUEST);

            assertThat(refused.json().path("errors").findValuesAsString("parameter"))
                    .containsExactly("since", "label");
        }
    }
}

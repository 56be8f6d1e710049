package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reservations of slots and for jobs; two nodes, n0 and n1, of four A100 each. */
class ReservationTest extends ApiTest {
    private static final String PATH = "/api/v1/reservations/r";
    private static final String SLOTS = "\"slots\": {\"pool\": \"main\", \"acceleratorType\": \"A100\", \"count\": %d}";
    private static final String TIME = "\"start\": \"2126-11-28T14:00:00Z\", \"end\": \"2126-11-28T16:00:00Z\"";

    private String job;

    @BeforeEach
    void aJob() {
        cluster(4, 4);
        job = api.post("/api/v1/jobs", Submissions.json()).is(201).at("/id");
    }

    private static String body(String... members) {
        return "{" + String.join(", ", members) + "}";
    }

    private String forJob() {
        return "\"job\": \"%s\"".formatted(job);
    }

    @Nested
    class Repetitions {
        private static final String NIGHTS = "\"start\": \"2126-11-28T21:00:00Z\", \"end\": \"2126-11-28T23:00:00Z\","
                + " \"recurrence\": {\"rule\": \"FREQ=DAILY;COUNT=3\"}";

        @Test
        void showTheNextOccurrence() {
            JsonNode made =
                    api.put(PATH, body("\"nodes\": [\"n0\"]", NIGHTS)).is(201).json();
            assertThat(made.path("recurrence").path("timeZone").asString()).isEqualTo("UTC");
            assertThat(made.path("occurrence").path("start").asString()).startsWith("2126-11-28T21:00:00");
            api.put(PATH, body("\"nodes\": [\"n0\"]", NIGHTS)).is(200);

            String tag = api.get(PATH).is(200).etag();
            world.sql("update reservation set starts_at = now() - interval '25 h', ends_at = now() - interval '23 h'");
            api.get(PATH, "If-None-Match", tag).is(200);
            assertThat(listed("ACTIVE")).as("in the second occurrence").isEqualTo(1);
            world.sql("update reservation set starts_at = now() - interval '75 h', ends_at = now() - interval '73 h'");
            assertThat(api.get(PATH).is(200).json().path("occurrence").isNull()).isTrue();
            assertThat(listed("ENDED")).as("after the third occurrence").isEqualTo(1);
        }

        private int listed(String state) {
            return api.get("/api/v1/reservations?state=" + state)
                    .is(200)
                    .json()
                    .path("items")
                    .size();
        }

        @Test
        void needATimeThatIsNotOver() {
            String past = "\"start\": \"2020-11-28T21:00:00Z\", \"end\": \"2020-11-28T23:00:00Z\"";
            assertThat(api.put(PATH, body("\"nodes\": [\"n0\"]", past))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/end");
            String empty = "\"start\": \"2126-11-28T21:00:00Z\", \"end\": \"2126-11-28T21:00:00.000000001Z\"";
            api.put(PATH, body("\"nodes\": [\"n0\"]", empty)).is(ProblemType.UNPROCESSABLE);
            api.put(PATH, body("\"nodes\": [\"n0\"]", past, "\"recurrence\": {\"rule\": \"FREQ=DAILY\"}"))
                    .is(201);
        }

        @Test
        void keepTheirNodesInEachOccurrence() {
            api.put("/api/v1/reservations/nights", body("\"nodes\": [\"n0\"]", NIGHTS))
                    .is(201);
            api.put(PATH, body(SLOTS.formatted(4), NIGHTS)).is(201);
            assertThat(api.get(PATH).is(200).at("/nodes/0")).isEqualTo("n1");
            String other = "/api/v1/reservations/other";
            for (String day : new String[] {"29", "30"}) {
                String evening = TIME.replace("28T14", day + "T22").replace("28T16", day + "T23");
                assertThat(api.put(other, body(SLOTS.formatted(1), evening))
                                .is(ProblemType.UNPROCESSABLE)
                                .at("/errors/0/message"))
                        .contains("only 0 slots");
            }
            api.put(other, body(SLOTS.formatted(8), TIME)).is(201);
        }

        @Test
        void areRefusedWithEverythingThatIsWrong() {
            String recurrence = "\"recurrence\": {\"rule\": \"FREQ=HOURLY\", \"timeZone\": \"Mars\"}";
            assertThat(api.put(PATH, body("\"nodes\": [\"n9\"]", recurrence))
                            .is(ProblemType.UNPROCESSABLE)
                            .json()
                            .path("errors")
                            .findValuesAsString("pointer"))
                    .containsExactlyInAnyOrder(
                            "/nodes/0", "/recurrence/rule", "/recurrence/timeZone", "/start", "/end");
        }
    }

    @Nested
    class Slots {
        @Test
        void areFoundOnTheFewestNodesAndStayThere() {
            JsonNode made =
                    api.put(PATH, body(SLOTS.formatted(3), TIME)).is(201).json();
            assertThat(made.path("nodes").size()).isEqualTo(1);

            JsonNode again = api.put(PATH, body(SLOTS.formatted(3), TIME), "If-Match", "*")
                    .is(200)
                    .json();
            assertThat(again.path("nodes")).isEqualTo(made.path("nodes"));
            assertThat(api.get(PATH).is(200).json()).isEqualTo(made);
            assertThat(api.put(PATH, body(SLOTS.formatted(5), TIME), "If-Match", "*")
                            .is(200)
                            .json()
                            .path("nodes")
                            .size())
                    .isEqualTo(2);
        }

        @Test
        void thatOtherReservationsOrMaintenanceHaveThenAreNotTaken() {
            api.put("/api/v1/reservations/first", body(SLOTS.formatted(4), TIME))
                    .is(201);
            api.put("/api/v1/maintenance-windows/m", body("\"nodes\": [\"n1\"]", TIME.replace("14:", "15:")))
                    .is(201);

            assertThat(api.put(PATH, body(SLOTS.formatted(1), TIME))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/message"))
                    .isEqualTo("only 0 slots of type A100 in pool main can be reserved at that time");
            api.put(PATH, body(SLOTS.formatted(8), TIME.replace("2126", "2127")))
                    .is(201);
        }

        @Test
        void orNodesAreNamed() {
            api.put(PATH, body(TIME)).is(ProblemType.UNPROCESSABLE);
        }
    }

    @Nested
    class ForAJob {
        @Test
        void othersLeaveAheadAndItsTenantIsThatOfTheJob() {
            JsonNode made = api.put(PATH, body(forJob(), SLOTS.formatted(4), TIME))
                    .is(201)
                    .json();

            assertThat(made.path("leadSeconds").asDouble()).isEqualTo(300);
            assertThat(made.path("tenant").asString())
                    .isEqualTo(api.get("/api/v1/jobs/" + job).at("/tenant"));
        }

        @Test
        void everythingThatIsWrongIsSaid() {
            assertThat(api.put(PATH, body("\"job\": \"none\", \"nodes\": [\"n0\", \"x\"]"))
                            .is(ProblemType.UNPROCESSABLE)
                            .json()
                            .path("errors")
                            .findValuesAsString("pointer"))
                    .containsExactly("/nodes/1", "/job");
            api.put("/api/v1/tenants/other", "{}").is(201);
            assertThat(api.put(PATH, body(forJob(), "\"tenant\": \"other\", \"nodes\": [\"n0\"]"))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/tenant");
        }

        @Test
        void theJobMustBeAbleToRunThere() {
            api.put("/api/v1/pools/side", "{}").is(201);
            api.put("/api/v1/accelerator-types/T4", "{}").is(201);
            api.put("/api/v1/nodes/t", "{\"pool\": \"side\", \"acceleratorType\": \"T4\", \"devices\": [\"0\"]}")
                    .is(201);

            assertThat(api.put(PATH, body(forJob(), "\"nodes\": [\"t\"]"))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/message"))
                    .isEqualTo("the job may not run on node t");
        }
    }
}

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

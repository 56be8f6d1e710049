package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Elasticity;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.whatif.SetReservation;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.policy.Policies;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/**
 * What if nodes were kept for somebody, or worked on: asked over HTTP and answered by the real policy. One node, n0, of
 * four A100.
 */
class WhatIfCalendarTest extends ApiTest {
    private static final String RESERVATIONS = "/api/v1/reservations/";

    @Autowired
    private TestRounds rounds;

    @Autowired
    private SnapshotReader snapshots;

    @BeforeEach
    void aNode() {
        cluster(4);
        policy.use(Policies.spur()::plan);
        rounds.begin();
    }

    private JsonNode ask(String... changes) {
        return api.post("/api/v1/what-if", "{\"changes\": [%s]}".formatted(String.join(", ", changes)))
                .is(200)
                .json();
    }

    /** Pointers and messages of what is wrong with changes. */
    private List<String> wrong(String... changes) {
        return api.post("/api/v1/what-if", "{\"changes\": [%s]}".formatted(String.join(", ", changes)))
                .is(ProblemType.UNPROCESSABLE)
                .json()
                .path("errors")
                .valueStream()
                .map(error -> error.path("pointer").asString() + " "
                        + error.path("message").asString())
                .toList();
    }

    /** Runs a round, and lets an hour pass for what it has started. */
    private void runForAWhile() {
        rounds.run();
        world.sql("""
                update job set allocated_since = now() - interval '1 h',
                    allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 3600))
                where allocation is not null
                """);
    }

    /** The time {@code seconds} after now. */
    private String at(double seconds) {
        return Instant.ofEpochMilli((long) ((snapshots.read().problem().now() + seconds) * 1000))
                .toString();
    }

    private static String kindOf(JsonNode answer, String job) {
        return answer.path("changes")
                .valueStream()
                .filter(change -> change.path("jobId").asString().equals(job))
                .map(change -> change.path("change").asString())
                .findFirst()
                .orElse("none");
    }

    private static String reasonOf(JsonNode answer, String job) {
        return answer.path("waiting")
                .valueStream()
                .filter(pending -> pending.path("jobId").asString().equals(job))
                .map(pending -> pending.path("reason").asString())
                .findFirst()
                .orElse("none");
    }

    @Nested
    class ATimeThatRepeats {
        private String maintenance(String start, String end, String rule) {
            return """
                    {"change": "SET_MAINTENANCE", "window": "w", "nodes": ["n0"], "start": "%s", "end": "%s",
                     "recurrence": {"rule": "%s", "timeZone": "UTC"}}""".formatted(start, end, rule);
        }

        private String whole(double seconds) {
            return Instant.parse(at(seconds)).truncatedTo(ChronoUnit.SECONDS).toString();
        }

        @Test
        void countsWithItsActiveOccurrence() {
            String job = world.job(4);
            runForAWhile();
            double days = 3 * 86_400;

            assertThat(kindOf(ask(maintenance(whole(-days - 60), whole(-days + 600), "FREQ=DAILY")), job))
                    .isEqualTo("PREEMPT");
            assertThat(kindOf(ask(maintenance(whole(-days + 3600), whole(-days + 7200), "FREQ=DAILY")), job))
                    .as("it begins in an hour")
                    .isEqualTo("none");
            assertThat(kindOf(ask("""
                                    {"change": "SET_RESERVATION", "reservation": "r", "nodes": ["n0"], "start": "%s", "end": "%s",
                                     "recurrence": {"rule": "FREQ=DAILY", "timeZone": "UTC"}}""".formatted(whole(-days - 60), whole(-days + 600))), job))
                    .isEqualTo("PREEMPT");
        }

        @Test
        void hasAValidRuleWithAnOccurrence() {
            String past = maintenance("2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z", "FREQ=DAILY;COUNT=2");
            assertThat(wrong(past))
                    .singleElement()
                    .asString()
                    .contains("/changes/0/recurrence/rule", "has no occurrence");
            assertThat(wrong(maintenance("2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z", "FREQ=HOURLY")))
                    .singleElement()
                    .asString()
                    .contains("/changes/0/recurrence/rule", "FREQ must be DAILY");
        }
    }

    @Nested
    class AReservation {
        @Test
        void keepsOthersOffItsNodesAndIsNotMade() {
            String job = world.job(4);
            runForAWhile();

            JsonNode answer = ask("{\"change\": \"SET_RESERVATION\", \"reservation\": \"r\", \"nodes\": [\"n0\"]}");

            assertThat(kindOf(answer, job)).isEqualTo("PREEMPT");
            assertThat(reasonOf(answer, job)).isEqualTo("RESERVED");
            api.get(RESERVATIONS + "r").is(404);
        }

        @Test
        void letsTheJobInForWhichSlotsAreKept() {
            String one = world.job(4);
            String other = world.job(4);
            runForAWhile();
            String waits = world.state(one).equals("WAITING") ? one : other;
            String runs = waits.equals(one) ? other : one;

            JsonNode answer = ask("""
                    {"change": "SET_RESERVATION", "reservation": "r", "job": "%s",
                     "slots": {"pool": "main", "acceleratorType": "A100", "count": 2}}""".formatted(waits));

            assertThat(kindOf(answer, waits)).isEqualTo("START");
            assertThat(kindOf(answer, runs)).isEqualTo("PREEMPT");
        }

        @Test
        void thatIsTakenAwayLetsOthersIn() {
            api.put("/api/v1/tenants/other", "{\"parent\": \"root\"}").is(201);
            api.put(RESERVATIONS + "r", "{\"nodes\": [\"n0\"], \"tenant\": \"other\"}")
                    .is(201);
            String job = world.job(4);
            rounds.run();

            JsonNode answer = ask("{\"change\": \"REMOVE_RESERVATION\", \"reservation\": \"r\"}");

            assertThat(kindOf(answer, job)).isEqualTo("START");
            assertThat(api.get(RESERVATIONS + "r").is(200).at("/tenant")).isEqualTo("other");
        }

        @Test
        void thatBeginsLaterLeavesRoomForWhoIsDoneBefore() {
            String job = world.job(TestCluster.spec(4).edit().preemptible(false).build()); // 2,500 s on four slots
            String later = """
                    {"change": "SET_RESERVATION", "reservation": "r", "nodes": ["n0"], "start": "%s", "leadSeconds": 60}""";

            assertThat(reasonOf(ask(later.formatted(at(3600))), job)).isEqualTo("none");
            assertThat(reasonOf(ask(later.formatted(at(1800))), job)).isEqualTo("RESERVED");
        }
    }

    @Nested
    class SlotsToKeep {
        private static final String TIME = "2126-11-28T14:00:00Z";
        private static final String END = "2126-11-28T16:00:00Z";

        /**
         * n1 to n5, of which n1 is kept, n2 is worked on, n3 takes nothing new, and n4 has a job that may not be
         * stopped.
         */
        @BeforeEach
        void moreNodes() {
            int[] slots = {4, 4, 8, 8, 8, 2};
            for (int n = 1; n < slots.length; n++) {
                world.node("n" + n, slots[n]);
            }
            Elasticity onOneNode = new Elasticity(List.of(), List.of(), 5, 8, false, List.of(), 1, false);
            String fixed = world.job(TestCluster.spec(5)
                    .edit()
                    .elasticity(onOneNode)
                    .preemptible(false)
                    .build());
            world.sql("update node set state = 'CORDONED' where id in ('n2', 'n3')");
            rounds.run();
            assertThat(world.value(
                            String.class, "select allocation #>> '{placement,0,node}' from job where id = ?", fixed))
                    .isEqualTo("n4");
            world.sql("update node set state = 'ACTIVE' where id = 'n2'");
            String during = "\"start\": \"2126-11-28T15:00:00Z\", \"end\": \"2126-11-28T15:30:00Z\"";
            api.put(RESERVATIONS + "other", "{\"nodes\": [\"n1\"], %s}".formatted(during))
                    .is(201);
            api.put("/api/v1/maintenance-windows/m", "{\"nodes\": [\"n2\"], %s}".formatted(during))
                    .is(201);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 3, 5, 12, 14})
        void areFoundOnTheNodesOnWhichAReservationFindsThem(int count) {
            StateSnapshot before = snapshots.read();
            RoundProblem requested = reservation(count).applyTo(before.problem(), before.heldBack());

            api.put(RESERVATIONS + "r", body(count)).is(201);

            assertThat(requested.reservations())
                    .containsExactlyInAnyOrderElementsOf(
                            snapshots.read().problem().reservations());
        }

        @Test
        void areRefusedInTheWordsOfAReservation() {
            StateSnapshot before = snapshots.read();
            String words = "only 14 slots of type A100 in pool main can be reserved at that time";

            assertThat(api.put(RESERVATIONS + "r", body(15))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/message"))
                    .isEqualTo(words);
            assertThatThrownBy(() -> reservation(15).applyTo(before.problem(), before.heldBack()))
                    .hasMessage(words);
        }

        private static SetReservation reservation(int count) {
            return new SetReservation(
                    "r",
                    List.of(),
                    "root",
                    (double) Instant.parse(TIME).getEpochSecond(),
                    (double) Instant.parse(END).getEpochSecond(),
                    null,
                    null,
                    new Reservation.Slots("main", "A100", count));
        }

        private static String body(int count) {
            return """
                    {"tenant": "root", "start": "%s", "end": "%s", "slots": {"pool": "main", "acceleratorType": "A100", "count": %d}}
                    """.formatted(TIME, END, count);
        }
    }

    @Nested
    class Maintenance {
        private static final String WINDOW = """
                {"change": "SET_MAINTENANCE", "window": "m", "nodes": ["n0"], "start": "%s", "end": "%s"}""";

        @Test
        void thatBeginsStopsWhoIsThereAndIsNotMade() {
            String job = world.job(TestCluster.spec(4).edit().preemptible(false).build());
            rounds.run();

            JsonNode answer = ask(WINDOW.formatted(at(-1), at(3600)));

            assertThat(kindOf(answer, job)).isEqualTo("PREEMPT");
            assertThat(reasonOf(answer, job)).isEqualTo("NODES_UNAVAILABLE");
            assertThat(world.state(job)).isEqualTo("RUNNING");
            api.get("/api/v1/maintenance-windows/m").is(404);
        }

        @Test
        void aheadKeepsOffWhoWouldNotBeDoneByThen() {
            String job = world.job(TestCluster.spec(4).edit().preemptible(false).build()); // 2,500 s on four slots

            assertThat(reasonOf(ask(WINDOW.formatted(at(3600), at(7200))), job)).isEqualTo("none");
            assertThat(reasonOf(ask(WINDOW.formatted(at(1800), at(7200))), job)).isEqualTo("NODES_UNAVAILABLE");
        }

        @Test
        void thatIsTakenAwayLetsJobsIn() {
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                    values ('m', '{n0}', now() - interval '1 h', now() + interval '1 h', 0)
                    """);
            String job = world.job(4);
            rounds.run();

            JsonNode answer = ask("{\"change\": \"REMOVE_MAINTENANCE\", \"window\": \"m\"}");

            assertThat(kindOf(answer, job)).isEqualTo("START");
        }

        @Test
        void ofANodeThatIsRemovedGoesWithIt() {
            api.put(RESERVATIONS + "r", "{\"nodes\": [\"n0\"]}").is(201);
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                    values ('m', '{n0}', now() - interval '1 h', now() + interval '1 h', 0)
                    """);
            api.put("/api/v1/nodes/n0/memory", "{\"usedGiB\": 1}").is(200);

            JsonNode answer = ask("{\"change\": \"REMOVE_NODES\", \"nodes\": [\"n0\"]}");

            assertThat(answer.path("changes").isEmpty()).isTrue();
        }
    }

    @Nested
    class QuarantinedDevices {
        @BeforeEach
        void half() {
            world.sql("""
                    insert into device_health (node, device, healthy, failures)
                    values ('n0', 'd0', false, 1), ('n0', 'd1', false, 1)
                    """);
        }

        @Test
        void takeNothingWhateverIsAsked() {
            String job = world.job(4);
            String open = "{\"change\": \"SET_NODE_STATE\", \"node\": \"n0\", \"state\": \"ACTIVE\"}";

            assertThat(kindOf(ask(open), job)).isEqualTo("none");
            assertThat(kindOf(
                            ask(
                                    open,
                                    "{\"change\": \"SET_ELASTICITY\", \"job\": \"%s\", \"minSlots\": 2, \"maxSlots\": 2}"
                                            .formatted(job)),
                            job))
                    .isEqualTo("START");
            assertThat(wrong("""
                            {"change": "SET_RESERVATION", "reservation": "r", "slots":
                             {"pool": "main", "acceleratorType": "A100", "count": 3}}"""))
                    .containsExactly(
                            "/changes/0/slots/count only 2 slots of type A100 in pool main can be reserved at that time");
        }

        @Test
        void areGivenUpByWhoHoldsThem() {
            world.sql("delete from device_health");
            String job = world.job(4);
            runForAWhile();
            half();

            JsonNode answer = ask("{\"change\": \"SET_WEIGHT\", \"job\": \"%s\", \"weight\": 2}".formatted(job));

            assertThat(answer.path("changes").isEmpty()).isTrue();
            assertThat(reasonOf(answer, job)).isNotEqualTo("none");
        }
    }

    @Nested
    class WhatDoesNotFit {
        @Test
        void isReportedAtOnce() {
            assertThat(wrong(
                            "{\"change\": \"SET_RESERVATION\", \"reservation\": \"r\", \"nodes\": [\"n0\", \"x\"], \"tenant\": \"nobody\"}",
                            "{\"change\": \"REMOVE_RESERVATION\", \"reservation\": \"none\"}",
                            "{\"change\": \"SET_MAINTENANCE\", \"window\": \"m\", \"nodes\": [\"y\"], \"start\": \"2001-01-01T00:00:00Z\", \"end\": \"2001-01-02T00:00:00Z\"}",
                            "{\"change\": \"REMOVE_MAINTENANCE\", \"window\": \"none\"}"))
                    .hasSize(6)
                    .startsWith(
                            "/changes/0/nodes/1 node x does not exist",
                            "/changes/0/tenant tenant nobody does not exist",
                            "/changes/1/reservation reservation none does not exist",
                            "/changes/2/nodes/0 node y does not exist")
                    .satisfies(all -> assertThat(all.get(4))
                            .startsWith("/changes/2/end is in the past; the time of the problem is "))
                    .endsWith("/changes/3/window maintenance window none does not exist or has ended");
        }

        @Test
        void thatContradictsItselfIsReportedAtOnceToo() {
            assertThat(wrong(
                            "{\"change\": \"SET_RESERVATION\", \"reservation\": \"r\", \"nodes\": [\"n0\"], \"start\": \"2001-01-02T00:00:00Z\", \"end\": \"2001-01-01T00:00:00Z\"}",
                            "{\"change\": \"SET_MAINTENANCE\", \"window\": \"m\", \"start\": \"2001-01-01T00:00:00Z\", \"end\": \"2001-01-02T00:00:00Z\"}",
                            """
                            {"change": "ADD_PREPARATION", "preparation": "p", "spec": {"cpus": 1, "workingSetGiB": 1, "seconds": 1,
                             "minLocalFraction": 0.5, "slowDown": {"points": [{"localFraction": 1, "factor": 2}]}}}"""))
                    .extracting(error -> error.split(" ", 2)[0])
                    .containsExactly("/changes/0/end", "/changes/1/nodes", "/changes/2/spec/slowDown");
        }
    }
}

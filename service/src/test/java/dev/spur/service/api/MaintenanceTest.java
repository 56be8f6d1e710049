package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundPlan;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.policy.Policies;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Maintenance windows over HTTP, and what rounds make of them. Rounds are run one at a time; windows move past them.
 */
class MaintenanceTest extends ApiTest {
    private static final String API = "/api/v1/";
    private static final String PATH = API + "maintenance-windows";

    @Autowired
    private TestRounds rounds;

    @BeforeEach
    void registerNodes() {
        cluster(8, 8);
        policy.use(Policies.spur()::plan);
        rounds.begin();
    }

    private Answer put(String name, String what, String from, String to, String... headers) {
        return api.put(
                PATH + "/" + name,
                "{%s, \"start\": \"%s\", \"end\": \"%s\", \"leadSeconds\": 600}".formatted(what, time(from), time(to)),
                headers);
    }

    /** A time so far from that of the database, such as {@code -1 hour}. */
    private String time(String away) {
        return world.value(String.class, """
                select to_char((now() + cast(? as interval)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                """, away);
    }

    /** Lets so much time pass, as the windows see it. */
    private void pass(String time) {
        world.sql("""
                update maintenance_window set starts_at = starts_at - cast(? as interval), ends_at = ends_at - cast(? as interval)
                """, time, time);
    }

    private String nodeOf(String job) {
        return world.value(
                String.class, "select coalesce(allocation #>> '{placement,0,node}', '-') from job where id = ?", job);
    }

    @Nested
    class Windows {
        @Test
        void areListedWithTheirPhaseUntilTheyHaveEnded() {
            put("coming", "\"nodes\": [\"n0\"]", "2 hours", "3 hours").is(201);
            put("draining", "\"nodes\": [\"n0\"]", "5 min", "1 hour").is(201);
            put("active", "\"nodes\": [\"n1\"]", "0 s", "1 hour").is(201);
            put("over", "\"pool\": \"main\"", "4 hours", "5 hours").is(201);
            world.sql(
                    "update maintenance_window set starts_at = now() - interval '2 h', ends_at = now() where name = 'over'");

            assertThat(api.get(PATH).is(200).json().path("items").findValuesAsString("phase"))
                    .containsExactly("ACTIVE", "SCHEDULED", "DRAINING", "ENDED");
            assertThat(api.get(PATH + "?state=ACTIVE&state=SCHEDULED&state=DRAINING")
                            .is(200)
                            .json()
                            .path("items")
                            .findValuesAsString("name"))
                    .containsExactly("active", "coming", "draining");
            assertThat(api.get(PATH + "/over").is(200).at("/phase")).isEqualTo("ENDED");
        }

        @Test
        void changeTheirTagWithTheirPhase() {
            put("m", "\"nodes\": [\"n0\"]", "2 hours", "3 hours").is(201);
            String tag = api.get(PATH + "/m").is(200).etag();
            api.get(PATH + "/m", "If-None-Match", tag).is(304);

            pass("2 hours");

            assertThat(api.get(PATH + "/m", "If-None-Match", tag).is(200).at("/phase"))
                    .isEqualTo("ACTIVE");
        }

        @Test
        void areRefusedWithEverythingThatIsWrong() {
            Answer answer = put("m", "\"nodes\": [\"n0\", \"x\", \"y\"]", "-2 hours", "-1 hour")
                    .is(ProblemType.UNPROCESSABLE);
            assertThat(answer.json().path("errors").findValuesAsString("pointer"))
                    .containsExactly("/end", "/start", "/nodes/1", "/nodes/2");
            assertThat(put("m", "\"nodes\": [\"n0\"]", "2 hours", "1 hour")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/end");
            put("m", "\"nodes\": [\"n0\"], \"pool\": \"main\"", "1 hour", "2 hours")
                    .is(ProblemType.UNPROCESSABLE);
            put("m", "\"reason\": \"none\"", "1 hour", "2 hours").is(ProblemType.UNPROCESSABLE);
            api.put(PATH + "/m", """
                            {"nodes": ["n0"], "start": "2126-11-28T14:00:00Z", "end": "2126-11-28T14:00:00.0000014Z"}""").is(ProblemType.UNPROCESSABLE);
            assertThat(put("m", "\"pool\": \"nowhere\"", "1 hour", "2 hours")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/pool");
        }

        @Test
        void doNotOverlapOnANode() {
            put("first", "\"nodes\": [\"n1\"]", "2 hours", "3 hours").is(201);

            assertThat(put("m", "\"nodes\": [\"n0\", \"n1\"]", "1 hour", "4 hours")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/nodes/1");
            assertThat(put("m", "\"pool\": \"main\"", "1 hour", "4 hours")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/message"))
                    .isEqualTo("node n1 is in maintenance window first at that time");
            put("m", "\"nodes\": [\"n0\"]", "1 hour", "4 hours").is(201);
            put("later", "\"nodes\": [\"n1\"]", "3 hours", "4 hours").is(201);
            put("later", "\"nodes\": [\"n1\"]", "3 hours", "5 hours", "If-Match", "*")
                    .is(200);
        }

        @Test
        void stayAsTheyWereWhenTheyHaveEnded() {
            put("m", "\"nodes\": [\"n0\"]", "0 s", "1 hour").is(201);
            put("m", "\"nodes\": [\"n0\"]", "0 s", "2 hours", "If-Match", "*").is(200);
            pass("2 hours");

            put("m", "\"nodes\": [\"n0\"]", "0 s", "3 hours", "If-Match", "*").is(ProblemType.UNPROCESSABLE);
            api.get(PATH + "/m").is(200);
        }

        @Test
        void keepTheirNodesFromBeingDeletedUntilTheyHaveEnded() {
            put("m", "\"nodes\": [\"n0\"]", "0 s", "1 hour").is(201);
            api.delete(API + "nodes/n0").is(ProblemType.IN_USE);
            pass("1 hour");
            api.delete(API + "nodes/n0").is(204);
        }
    }

    @Nested
    class Gangs {
        @Test
        void leaveInTimeAndGoOnElsewhereAndTheNodeIsBackAtTheEnd() throws Exception {
            String job = world.job(8);
            rounds.run();
            String first = nodeOf(job);
            put("m", "\"nodes\": [\"" + first + "\"]", "1 hour", "2 hours").is(201);
            rounds.run();
            assertThat(nodeOf(job)).as("an hour before").isEqualTo(first);

            pass("51 min");
            world.sql("update job set allocated_since = now() - interval '51 min', "
                    + "allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 3060))");
            rounds.run();
            String second = nodeOf(job);
            assertThat(second).as("nine minutes before").isNotEqualTo(first).isNotEqualTo("-");

            String waiting = world.job(8);
            rounds.run();
            assertThat(nodeOf(waiting)).isEqualTo("-");
            awaitFeed();
            assertThat(api.get(API + "jobs/" + waiting + "/explanation").is(200).text())
                    .contains("node " + first + " is in maintenance from ");

            pass("70 min");
            rounds.run();
            assertThat(nodeOf(waiting)).as("at the end").isEqualTo(first);
        }

        @Test
        void areStoppedAtTheStartAfterAClockHasJumped() {
            world.sql("delete from node where id = 'n1'");
            String job = world.job(8);
            rounds.run();
            put("m", "\"pool\": \"main\"", "1 hour", "2 hours").is(201);
            rounds.run();
            assertThat(nodeOf(job)).isEqualTo("n0");

            pass("1 hour");
            rounds.run();

            assertThat(nodeOf(job)).isEqualTo("-");
            assertThat(world.state(job)).isEqualTo("WAITING");
            api.delete(PATH + "/m").is(204);
            rounds.run();
            assertThat(nodeOf(job)).as("removed early").isEqualTo("n0");
        }

        @Test
        void leaveBeforeEachOccurrenceOfAWindowThatRepeats() {
            world.sql("delete from node where id = 'n1'");
            String job = world.job(8);
            rounds.run();
            String window =
                    "{\"pool\": \"main\", \"start\": \"%s\", \"end\": \"%s\", \"recurrence\": {\"rule\": \"FREQ=DAILY\"}}";
            api.put(PATH + "/m", window.formatted(time("1 hour"), time("2 hours")))
                    .is(201);
            rounds.run();
            assertThat(nodeOf(job)).isEqualTo("n0");

            pass("97 hours");
            rounds.run();
            assertThat(nodeOf(job)).as("in the fifth occurrence").isEqualTo("-");
            assertThat(api.get(PATH + "/m").is(200).at("/phase")).isEqualTo("ACTIVE");

            pass("1 hour");
            rounds.run();
            assertThat(nodeOf(job)).as("after it").isEqualTo("n0");
        }

        @Test
        void doNotComeToANodeWhoseMaintenanceBeganWhileTheRoundRan() {
            String job = world.job(8);
            world.sql("delete from node where id = 'n1'");
            AtomicReference<RoundPlan> made = new AtomicReference<>();
            policy.use(problem -> {
                made.set(Policies.spur().plan(problem));
                put("m", "\"pool\": \"main\"", "0 s", "1 hour").is(201);
                return made.get();
            });

            var outcome = rounds.run().outcome();

            assertThat(made.get().running()).hasSize(1);
            assertThat(nodeOf(job)).isEqualTo("-");
            assertThat(outcome.dropped().get(0).why()).isEqualTo("node n0 is in maintenance");
        }
    }

    @Test
    void reservationsMayBeginAtOnceAndNeverEnd() {
        api.put(API + "reservations/r", "{\"nodes\": [\"n0\", \"n1\"], \"tenant\": null}")
                .is(201);
        assertThat(api.get(API + "reservations/r").is(200).json().path("end").isNull())
                .isTrue();
        String job = world.job(8);
        rounds.run();
        assertThat(nodeOf(job)).isEqualTo("-");

        api.put(
                        API + "reservations/r",
                        "{\"nodes\": [\"n0\"], \"start\": \"%s\"}".formatted(time("1 hour")),
                        "If-Match",
                        "*")
                .is(200);
        rounds.run();

        assertThat(nodeOf(job)).as("before it begins").isNotEqualTo("-");
    }
}

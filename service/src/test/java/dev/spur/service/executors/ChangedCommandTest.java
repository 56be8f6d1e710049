package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another command for a job that has one: nothing that runs hears of it. */
class ChangedCommandTest extends ExecutorsTest {
    private static final String SLOW = "{\"command\": {\"args\": [\"--slow\"], \"graceSeconds\": 7}}";

    private Answer change(String job, String patch) {
        return api.patch(JOBS + job, patch, "If-Match", "*");
    }

    /** What an executor is told to start, or has started, for a generation of a job. */
    private static String told(FakeExecutor executor, String assignment) {
        return executor.poll()
                .valueStream()
                .filter(item -> item.path("assignmentId").asString().equals(assignment))
                .map(item -> item.at("/command/args/0").asString() + " "
                        + item.path("graceSeconds").asInt())
                .findFirst()
                .orElse("nothing");
    }

    @Nested
    class AJobThatWaits {
        @Test
        void hasItAtOnce() {
            String job = submit(1);

            Answer changed = change(
                            job,
                            "{\"command\": {\"program\": \"other\", \"checkpointDir\": null, \"env\": {\"A\": \"1\"}, \"launch\": \"PER_NODE\"}}")
                    .is(200);

            assertThat(changed.json().path("command").toString())
                    .contains("\"program\":\"other\"", "\"args\":[\"--fast\"]", "\"checkpointDir\":null")
                    .contains("\"env\":{\"A\":\"1\"}", "\"launch\":\"PER_NODE\"", "\"maxRestarts\":1");
            assertThat(changed.json().has("nextCommand")).isFalse();
            place(job, piece("n1", "d0"));
            assertThat(one.poll(job).at("/command/program").asString()).isEqualTo("other");
        }

        @Test
        void losesAVariableThatIsNull() {
            String job = submit(1);
            change(job, "{\"command\": {\"env\": {\"A\": \"1\", \"B\": \"2\"}}}")
                    .is(200);

            Answer changed =
                    change(job, "{\"command\": {\"env\": {\"A\": null}}}").is(200);

            assertThat(changed.json().at("/command/env").toString()).isEqualTo("{\"B\":\"2\"}");
        }

        @Test
        void leavesWhatItWasStoppedWithToTheGenerationThatStillStops() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            place(job);

            change(job, SLOW).is(200);

            assertThat(told(one, job + ".1")).isEqualTo("--fast 5");
            assertThat(api.get(JOBS + job).json().at("/command/args/0").asString())
                    .isEqualTo("--slow");
        }
    }

    @Nested
    class AJobThatHasAnAllocation {
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void goesOnWithItsOwnWhetherItRunsOrIsOnlyOffered(boolean runs) {
            String job = placed(piece("n1", "d0"));
            if (runs) {
                run(job, one);
            }
            String etag = api.get(JOBS + job).etag();

            Answer changed = change(job, SLOW).is(200);

            assertThat(changed.at("/command/args/0")).isEqualTo("--fast");
            assertThat(changed.at("/nextCommand/args/0")).isEqualTo("--slow");
            assertThat(changed.etag()).isNotEqualTo(etag);
            assertThat(told(one, job + ".1")).isEqualTo("--fast 5");
            rounds.run();
            assertThat(told(one, job + ".1")).isEqualTo("--fast 5");
        }

        @Test
        void startsItsNextGenerationWithItWhileTheLastOneStopsWithItsOwn() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            change(job, SLOW).is(200);

            place(job, piece("n2", "d0"));

            assertThat(told(two, job + ".2")).isEqualTo("--slow 7");
            assertThat(told(one, job + ".1")).isEqualTo("--fast 5");
            Answer registered = one.register(job + ".1 RUNNING").is(200);
            assertThat(registered.json().at("/stop/0/graceSeconds").asDouble()).isEqualTo(5);
            Answer shown = api.get(JOBS + job);
            assertThat(shown.at("/command/args/0")).isEqualTo("--slow");
            assertThat(shown.json().has("nextCommand")).isFalse();
        }

        @Test
        void hasItAfterAFailureToo() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            change(job, "{\"command\": {\"args\": [\"--mended\"]}}").is(200);

            one.exit(assignment(job), 1).is(200);

            assertThat(api.get(JOBS + job).at("/command/args/0")).isEqualTo("--mended");
        }

        @Test
        void isStoppedWithWhatItHasThroughSeveralChanges() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            change(job, SLOW).is(200);
            place(job, piece("n2", "d0"));
            change(job, "{\"command\": {\"args\": [\"--third\"]}}").is(200);

            place(job, piece("n2", "d1"));

            assertThat(told(one, job + ".1")).isEqualTo("--fast 5");
            assertThat(told(two, job + ".3")).isEqualTo("--third 7");
        }

        @Test
        void forgetsAChangeThatIsTakenBack() {
            String job = placed(piece("n1", "d0"));
            change(job, SLOW).is(200);

            Answer back = change(job, "{\"command\": {\"args\": [\"--fast\"], \"graceSeconds\": 5}}")
                    .is(200);

            assertThat(back.json().has("nextCommand")).isFalse();
        }

        @Test
        void hasItFromAReplicaThatKnowsNothingOfChangedCommands() {
            String job = placed(piece("n1", "d0"));
            change(job, SLOW).is(200);

            world.sql("update job set generation = generation + 1, allocation = null where id = ?", job);

            assertThat(api.get(JOBS + job).at("/command/args/0")).isEqualTo("--slow");
        }
    }

    @Test
    void isNotSpelledOutInTheAuditTrail() {
        String job = placed(piece("n1", "d0"));
        change(job, "{\"command\": {\"env\": {\"PASSWORD\": \"secret\"}}}").is(200);

        String trail = api.get("/api/v1/audit").is(200).text();

        assertThat(trail).contains("/nextCommand/env/PASSWORD").doesNotContain("secret");
    }

    @Test
    void isRefusedForAJobThatHasNone() {
        String job = world.job(1);

        Answer refused = change(job, "{\"command\": {\"program\": \"train\"}}");

        assertThat(refused.is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                .isEqualTo("/command");
        change(job, "{\"name\": \"other\"}").is(200);
    }

    @Test
    void isRefusedIfTooMuchComesTogether() {
        String job = submit(1);
        StringBuilder many = new StringBuilder("\"A\": \"1\"");
        for (int i = 1; i < 200; i++) {
            many.append(", \"A%d\": \"1\"".formatted(i));
        }
        change(job, "{\"command\": {\"env\": {%s}}}".formatted(many)).is(200);

        Answer refused = change(job, "{\"command\": {\"env\": {\"B\": \"1\"}}}");

        assertThat(refused.is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                .isEqualTo("/command/env");
        change(job, "{\"command\": null}").is(400);
        change(job, "{\"command\": {\"launch\": null}}").is(400);
    }
}

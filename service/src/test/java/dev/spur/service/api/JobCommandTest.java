package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What executors start for a job, as its owner hands it in. */
class JobCommandTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";

    @BeforeEach
    void aNode() {
        cluster(4);
    }

    private static String with(String command) {
        return Submissions.with("/command", command);
    }

    @Test
    void isShownWholeWithItsDefaultsButNotInLists() {
        var job = api.post(JOBS, with("{\"program\": \"train\", \"env\": {\"LR\": \"0.1\"}}"))
                .is(201);

        var command = api.get(JOBS + "/" + job.at("/id")).is(200).json().path("command");
        assertThat(command).isEqualTo(job.json().path("command"));
        assertThat(command.at("/env/LR").asString()).isEqualTo("0.1");
        assertThat(command.path("launch").asString()).isEqualTo("PER_DEVICE");
        assertThat(command.path("graceSeconds").asDouble()).isEqualTo(30);
        assertThat(command.path("maxRestarts").asInt()).isEqualTo(3);
        assertThat(api.get(JOBS).json().at("/items/0").has("command")).isFalse();
    }

    @Test
    void mayBeLeftOut() {
        assertThat(api.post(JOBS, Submissions.json()).is(201).json().has("command"))
                .isFalse();
    }

    @Test
    void belongsToWhatAnIdempotencyKeyStandsFor() {
        api.post(JOBS, with("{\"program\": \"train\"}"), "Idempotency-Key", "k").is(201);

        api.post(JOBS, with("{\"program\": \"train\"}"), "Idempotency-Key", "k").is(201);
        api.post(JOBS, with("{\"program\": \"other\"}"), "Idempotency-Key", "k").is(ProblemType.IDEMPOTENCY_KEY_REUSED);
    }

    @Test
    void mayNotUseTheCheckpointsOfAnotherActiveJob() {
        String command = with("{\"program\": \"train\", \"checkpointDir\": \"/c/mlp\"}");
        String first = api.post(JOBS, command).is(201).json().path("id").asString();

        var rejected = api.post(JOBS, command).is(ProblemType.UNPROCESSABLE);

        assertThat(rejected.json().at("/errors/0/pointer").asString()).isEqualTo("/command/checkpointDir");
        assertThat(rejected.json().at("/errors/0/message").asString())
                .contains("is the checkpoint directory of the active job", "name another one");
        api.post(JOBS + "/" + first + "/cancel", "").is(200);
        api.post(JOBS, command).is(201);
    }

    @Test
    void mayNotChangeToTheCheckpointsOfAnotherJob() {
        String job = api.post(JOBS, with("{\"program\": \"train\", \"checkpointDir\": \"/c/a\"}"))
                .is(201)
                .json()
                .path("id")
                .asString();
        String ended = api.post(JOBS, with("{\"program\": \"train\", \"checkpointDir\": \"/c/b\"}"))
                .is(201)
                .json()
                .path("id")
                .asString();
        api.post(JOBS + "/" + ended + "/cancel", "").is(200);

        var rejected = api.patch(JOBS + "/" + job, "{\"command\": {\"checkpointDir\": \"/c/b\"}}", "If-Match", "*")
                .is(ProblemType.UNPROCESSABLE);

        assertThat(rejected.json().at("/errors/0/pointer").asString()).isEqualTo("/command/checkpointDir");
        api.patch(JOBS + "/" + job, "{\"command\": {\"checkpointDir\": \"/c/new\"}}", "If-Match", "*")
                .is(200);
    }

    /** A repeated request gets the job that it created, which has the directory. */
    @Test
    void mayBeRepeatedWithItsCheckpoints() {
        String command = with("{\"program\": \"train\", \"checkpointDir\": \"/c/mlp\"}");
        api.post(JOBS, command, "Idempotency-Key", "k").is(201);

        api.post(JOBS, command, "Idempotency-Key", "k").is(201);
    }

    @Test
    void continuesTheGenerationsOfAnEarlierJobWithTheSameCheckpoints() {
        String command = with("{\"program\": \"train\", \"checkpointDir\": \"/c/mlp\"}");
        String first = api.post(JOBS, command).is(201).json().path("id").asString();
        world.sql("update job set generation = 22 where id = ?", first);
        api.post(JOBS + "/" + first + "/cancel", "").is(200);
        long last = world.generation(first);

        String again = api.post(JOBS, command).is(201).json().path("id").asString();
        String other = api.post(JOBS, with("{\"program\": \"train\", \"checkpointDir\": \"/c/other\"}"))
                .is(201)
                .json()
                .path("id")
                .asString();

        assertThat(last).isGreaterThanOrEqualTo(22);
        assertThat(world.generation(again)).isEqualTo(last);
        assertThat(world.value(Long.class, "select started_generation from job where id = ?", again))
                .isEqualTo(last);
        assertThat(world.generation(other)).isZero();
        assertThat(api.get(JOBS + "/" + again + "/logs").json().toString()).contains("has not started yet");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                   | /command/program",
                "{\"program\": \"\"}                                  | /command/program",
                "{\"program\": \"a\", \"env\": {\"SPUR_X\": \"1\"}}   | /command/env",
                "{\"program\": \"a\", \"env\": {\"1X\": \"1\"}}       | /command/env",
                "{\"program\": \"a\", \"workdir\": \"relative\"}      | /command/workdir",
                "{\"program\": \"a\", \"launch\": \"TWICE\"}          | /command/launch",
                "{\"program\": \"a\", \"graceSeconds\": -1}           | /command/graceSeconds",
                "{\"program\": \"a\", \"shell\": true}                | /command/shell"
            })
    void isRefusedIfItIsNone(String command, String pointer) {
        assertThat(api.post(JOBS, with(command)).is(400).text()).contains("\"pointer\":\"" + pointer);
    }

    @Test
    void isNotLargerThanItMayBe() {
        String argument = "x".repeat(8000);
        String nine = ("\"" + argument + "\", ").repeat(8) + "\"" + argument + "\"";

        var refused = api.post(JOBS, with("{\"program\": \"a\", \"args\": [" + nine + "]}"))
                .is(ProblemType.UNPROCESSABLE);

        assertThat(refused.at("/errors/0/pointer")).isEqualTo("/command/args");
    }
}

package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.contract.ProblemType;
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

package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.protocol.ServiceClient.Answer;
import org.junit.jupiter.api.Test;

class ProblemTextTest {
    private static final String BATCH = """
            {"detail": "/spec/batch/initial is required.", "errors": [{"pointer": "/spec/batch/initial", "message": "is required"}]}
            """;

    @Test
    void oneErrorIsOneLineWithTheOption() {
        assertThat(text(422, BATCH, false)).isEqualTo("--batch: is required");
        assertThat(text(422, BATCH, true)).isEqualTo("spec.batch.initial (--batch): is required");
    }

    @Test
    void aDetailThatRepeatsTheOnlyErrorIsOmitted() {
        String body = """
                {"detail": "/name is already used.", "errors": [{"pointer": "/name", "message": "is already used"}]}
                """;

        assertThat(text(409, body, false)).isEqualTo("--name: is already used");
    }

    @Test
    void fieldsInARequestAroundTheJobHaveTheSameNames() {
        assertThat(JobFields.name("/changes/0/spec/elasticity/minSlots", false)).isEqualTo("--gpus");
        assertThat(JobFields.name("/labels/project", false)).isEqualTo("--label");
        assertThat(JobFields.name("/spec/namelist", false)).isEqualTo("spec.namelist");
        assertThat(JobFields.name("/changes/0/nodes", false)).isEqualTo("changes.0.nodes");
    }

    @Test
    void namesEachFieldInTheWordsOfTheCommandLine() {
        String body = """
                {"detail": "/deadline is not a time. 2 other errors.", "errors": [
                  {"pointer": "/deadline", "message": "is not a time"},
                  {"pointer": "/spec/priority", "message": "must be at most 10"},
                  {"parameter": "label", "message": "is required"}]}
                """;

        assertThat(text(400, body, false).lines())
                .containsExactly(
                        "The service rejected 3 values.",
                        "  --deadline: is not a time",
                        "  --priority: must be at most 10",
                        "  label: is required");
    }

    @Test
    void reasonsFollowTheExplanationWithItsOption() {
        String body = """
                {"detail": "It can never run. Set waitForHardware to let it wait.", "reasons": ["It needs 9 slots."]}
                """;

        assertThat(text(422, body, false).lines())
                .containsExactly("It can never run. Add --wait-for-hardware to let it wait.", "  It needs 9 slots.");
    }

    @Test
    void aFailureOfTheServiceNamesTheRequest() {
        assertThat(text(500, "{\"detail\": \"Internal error.\", \"requestId\": \"ab12\"}", false))
                .isEqualTo("Internal error. (POST /api/v1/jobs: status 500, request id ab12)");
        assertThat(text(502, "<html>", false)).isEqualTo("The service answered POST /api/v1/jobs with status 502.");
    }

    private static String text(int status, String body, boolean isFromFile) {
        return ProblemText.of(
                "POST /api/v1/jobs", new Answer(status, body), pointer -> JobFields.name(pointer, isFromFile));
    }
}

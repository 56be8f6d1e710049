package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Earliest starts in the notation of Slurm, at 14:30 in Berlin. */
class BeginTimeTest {
    private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-12-01T14:30:15+01:00[Europe/Berlin]");

    @ParameterizedTest
    @CsvSource({
        "now, 2026-12-01T13:30:15Z",
        "now+60, 2026-12-01T13:31:15Z",
        "now+1hour, 2026-12-01T14:30:15Z",
        "now+30minutes, 2026-12-01T14:00:15Z",
        "now+2days, 2026-12-03T13:30:15Z",
        "16:00, 2026-12-01T15:00:00Z",
        "4:00PM, 2026-12-01T15:00:00Z",
        "12:30am, 2026-12-01T23:30:00Z",
        "2pm, 2026-12-02T13:00:00Z",
        "14:30:14, 2026-12-02T13:30:14Z",
        "teatime, 2026-12-01T15:00:00Z",
        "midnight, 2026-12-01T23:00:00Z",
        "tomorrow, 2026-12-01T23:00:00Z",
        "2026-12-24, 2026-12-23T23:00:00Z",
        "2026-12-24T18:00, 2026-12-24T17:00:00Z",
        "2026-07-24T18:00:00, 2026-07-24T16:00:00Z",
        "2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z",
        "2026-12-24T18:00:00+02:00, 2026-12-24T16:00:00Z"
    })
    void hasTheFormsOfSlurm(String text, String time) {
        assertThat(BeginTime.read(text, NOW).time()).hasToString(time);
    }

    @Test
    void noneRemovesTheEarliestStart() {
        ObjectNode job = JsonNodeFactory.instance.objectNode();

        BeginTime.read("none", NOW).putInto(job);

        assertThat(job).hasToString("{\"notBefore\":null}");
    }

    @Test
    void aChangeOfAJobRefusesOtherForms() {
        StringWriter errors = new StringWriter();

        int status = new CommandLine(new JobEditCommand())
                .setErr(new PrintWriter(errors, true))
                .execute("--service=http://localhost:1", "some-job", "--begin=soon");

        assertThat(status).isEqualTo(2);
        assertThat(errors.toString())
                .contains("Invalid value for option '--begin': 'soon' is no time; expected now+1hour");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now-1hour", "now+1year", "25:00", "13pm", "16", "2026-02-30", "2026-12-24T18", "soon"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> BeginTime.read(text, NOW))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("now+1hour");
    }
}

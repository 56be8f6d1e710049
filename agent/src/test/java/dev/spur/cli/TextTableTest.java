package dev.spur.cli;

import static dev.spur.cli.TableColumn.column;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.cli.TableColumn.Kind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TextTableTest {
    private static final Terminal PIPE = terminal(Ansi.OFF, Terminal.UNLIMITED);
    private static final List<TableColumn> COLUMNS = List.of(
            column("JOB", Kind.ID, "/id"),
            column("STATE", Kind.STATE, "/state"),
            column("SLOTS", Kind.NUMBER, "/slots"),
            column("OWNER", Kind.WIDE, "/owner"),
            column("MESSAGE", Kind.TEXT, "/message"));
    private static final JsonNode ITEMS = new JsonMapper().readTree("""
            [{"id": "0000000000-a", "state": "RUNNING", "slots": 8, "owner": "ann", "message": "runs on four devices of node-1"},
             {"id": "0000000000-b", "state": "WAITING", "owner": "bob", "message": "waits\\n\\u001b[2J"}]
            """);

    @Test
    void idsAreTheShortestUniquePrefixesAndNumbersAreAlignedToTheRight() {
        assertThat(text(PIPE, false))
                .containsExactly(
                        "JOB           STATE    SLOTS  MESSAGE",
                        "0000000000-a  RUNNING      8  runs on four devices of node-1",
                        "0000000000-b  WAITING      -  waits [2J");
    }

    @Test
    void textIsShortenedToTheWidthOfTheTerminal() {
        assertThat(text(terminal(Ansi.OFF, 46), false))
                .contains("0000000000-a  RUNNING      8  runs on four ...")
                .allMatch(line -> line.length() <= 46);
    }

    @Test
    void aWideTableHasAllColumnsAtFullLength() {
        assertThat(text(terminal(Ansi.OFF, 46), true))
                .contains("0000000000-a  RUNNING      8  ann    runs on four devices of node-1");
    }

    @Test
    void statesAreColoredOnlyWithAnsi() {
        assertThat(String.join("", text(terminal(Ansi.ON, 80), false))).contains("\u001b[32mRUNNING\u001b[39m");
        assertThat(String.join("", text(PIPE, false))).doesNotContain("\u001b");
    }

    @Test
    void timesAreRelativeExceptInAWideTable() {
        var columns = List.of(column("AT", Kind.TIME, "/at"));
        JsonNode items = new JsonMapper().readTree("""
                [{"at": "2026-11-29T11:57:00Z"}, {"at": "2026-11-29T14:06:00Z"}, {"at": "2026-11-29T12:00:00Z"}, {}]
                """);

        var table = new TextTable(columns, items.values());

        assertThat(table.text(PIPE, false).lines()).containsExactly("AT", "3 min ago", "in 2.1 h", "now", "-");
        assertThat(table.text(PIPE, true).lines()).contains("2026-11-29T11:57:00Z", "2026-11-29T14:06:00Z");
    }

    private static Terminal terminal(Ansi ansi, int width) {
        return new Terminal(ansi, width, Instant.parse("2026-11-29T12:00:00Z"));
    }

    private static List<String> text(Terminal terminal, boolean wide) {
        return new TextTable(COLUMNS, ITEMS.values())
                .text(terminal, wide)
                .lines()
                .toList();
    }
}

package dev.spur.cli;

import static dev.spur.cli.TableColumn.column;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.cli.TableColumn.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TextTableTest {
    private static final Terminal PIPE = new Terminal(Ansi.OFF, Terminal.UNLIMITED);
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
        assertThat(text(new Terminal(Ansi.OFF, 46), false))
                .contains("0000000000-a  RUNNING      8  runs on four ...")
                .allMatch(line -> line.length() <= 46);
    }

    @Test
    void aWideTableHasAllColumnsAtFullLength() {
        assertThat(text(new Terminal(Ansi.OFF, 46), true))
                .contains("0000000000-a  RUNNING      8  ann    runs on four devices of node-1");
    }

    @Test
    void statesAreColoredOnlyWithAnsi() {
        assertThat(String.join("", text(new Terminal(Ansi.ON, 80), false))).contains("\u001b[32mRUNNING\u001b[39m");
        assertThat(String.join("", text(PIPE, false))).doesNotContain("\u001b");
    }

    private static List<String> text(Terminal terminal, boolean wide) {
        return new TextTable(COLUMNS, ITEMS.values())
                .text(terminal, wide)
                .lines()
                .toList();
    }
}

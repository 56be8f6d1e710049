package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ClientProgramTest {
    @Test
    void buildsOnlyTheCommandOfTheCall() {
        assertThat(Main.commandLine("jobs", "--all").getSubcommands()).containsOnlyKeys("jobs", "version");
        assertThat(Main.commandLine("token", "list").getSubcommands()).containsOnlyKeys("token", "version");
        assertThat(Main.commandLine("--version").getSubcommands()).containsOnlyKeys("version");
    }

    @Test
    void helpAndCompletionReadAllCommands() {
        for (String[] call : new String[][] {{}, {"--help"}, {"help", "jobs"}, {"completion", "bash"}}) {
            assertThat(Main.commandLine(call).getSubcommands()).containsKeys("jobs", "agent", "token", "version");
        }
        assertThat(print("completion", "bash")).contains("submit").contains("outcomes");
        assertThat(print("help", "jobs")).isEqualTo(print("jobs", "--help"));
    }

    @Test
    void namesSimilarCommandsOfAnUnknownOne() {
        assertThat(print("job")).contains("Unknown command: job", "Did you mean: spur jobs?");
    }

    @Test
    void reportsAllInvalidArgumentsOfACall() {
        String printed = print("submit", "--gpus=x", "--gpsu", "--time=soon", "--batch", "0", "--", "true", "--odd");

        assertThat(printed.lines().filter(line -> line.startsWith("spur: ")))
                .hasSize(4)
                .anyMatch(line -> line.contains("'x' is no number"))
                .anyMatch(line -> line.contains("Unknown option: '--gpsu'"))
                .anyMatch(line -> line.contains("'soon' is no time"))
                .anyMatch(line -> line.contains("0 is below 1"));
        assertThat(printed).containsOnlyOnce("Try 'spur submit --help'.");
        assertThat(print("submit", "--gpus=x", "--help")).contains("Usage: spur submit");
    }

    private static String print(String... call) {
        StringWriter text = new StringWriter();
        CommandLine program = Main.commandLine(call);
        program.setOut(new PrintWriter(text)).setErr(new PrintWriter(text)).execute(call);
        return text.toString();
    }
}

package dev.spur.simulator.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExperimentCommandTest {
    private static final String POLICIES = "elastic-fixed-batch,elastic-batch";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new ExperimentCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void withoutANameAllAreListed() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("hu ", "saxena ", "tiresias ");
        assertThat(out.toString()
                        .lines()
                        .map(line -> line.replaceFirst("\\S+ +", "").length() - line.length()))
                .as("the column of the questions")
                .containsOnly(-("saxena-smallest".length() + 2));
    }

    @Test
    void aWrongNameOrLoadIsAnsweredWithWhatIsRight() {
        assertThat(run("magic")).isEqualTo(2);
        assertThat(err.toString()).contains("no experiment magic", "hu, saxena");
        assertThat(run("hu", "--loads", "-1")).isEqualTo(2);
        assertThat(err.toString()).contains("loads");
        assertThat(run("hu", "--policies", "fifo")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown variant of experiment hu; known variants: eta-greedy");
    }

    @Test
    void whatIsFinishedIsPrintedFromTheFolder() throws Exception {
        int status = run(
                "saxena-smallest",
                "--seeds",
                "1",
                "--loads",
                "0.5",
                "--tsv",
                "--policies",
                POLICIES,
                "--out",
                folder.toString());
        String first = out.toString();
        List<String> retained = Files.readAllLines(folder.resolve("replays.jsonl"));
        out.getBuffer().setLength(0);

        assertThat(status).isZero();
        assertThat(first).startsWith("load\tpolicy\t").contains("elastic-batch", "against elastic-fixed-batch");
        assertThat(run(
                        "saxena-smallest",
                        "--seeds",
                        "1",
                        "--loads",
                        "0.5",
                        "--tsv",
                        "--policies",
                        POLICIES,
                        "--out",
                        folder.toString()))
                .isZero();
        assertThat(out.toString()).isEqualTo(first);
        assertThat(Files.readAllLines(folder.resolve("replays.jsonl")))
                .isEqualTo(retained)
                .hasSize(2);
        assertThat(folder.resolve("page.html")).exists();
    }
}

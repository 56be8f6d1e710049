package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.postgres.SpurHome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What commands answer without a service or a database. */
class CommandLineTest {
    private static final int BAD_INPUT = 2;

    @TempDir
    private Path folder;

    private record Printed(int status, String out, String err) {}

    @Test
    void helpPrintsWhatTheOptionPrints() {
        assertThat(run("help")).isEqualTo(run("--help")).matches(printed -> printed.status() == 0);
        assertThat(run("help", "serve").out()).isEqualTo(run("serve", "--help").out());
        assertThat(run("help").out()).contains("serve").doesNotContain("[picocli WARN]");
    }

    @Test
    void versionPrintsWhatTheOptionPrints() {
        assertThat(run("version")).isEqualTo(run("--version"));
        assertThat(run("version").out()).matches("Spur \\d+\\.\\d+\\.\\d+\\s+");
    }

    @Test
    void aMisspelledCommandIsReportedWithSimilarOnesAndNotTheWholeUsage() {
        Printed printed = run("simulat");

        assertThat(printed.status()).isEqualTo(BAD_INPUT);
        assertThat(printed.err()).contains("spur: Unknown command: simulat", "simulate", "Try 'spur --help'.");
        assertThat(printed.err().lines()).hasSizeLessThan(5);
    }

    @Test
    void aCommandThatIsLikeNoOtherHasNoSuggestion() {
        assertThat(run("frobnicate").err())
                .contains("spur: Unknown command: frobnicate")
                .doesNotContain("Did you mean");
    }

    /** Spring would fail for a file of properties that is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"serve --port=0", "restore pom.xml"})
    void anOccupiedHomeIsFoundBeforeSpringStarts(String command) {
        System.setProperty("spur.home", folder.toString());
        System.setProperty("spur.database.url", "");
        System.setProperty("spring.config.import", "file:" + folder.resolve("missing.properties"));
        try (SpurHome held = SpurHome.take(folder)) {
            Printed printed = run(command.split(" ", -1));

            assertThat(printed.err()).contains("The Spur home %s is in use by this process.".formatted(held.root()));
            assertThat(printed.status()).isEqualTo(1);
        } finally {
            List.of("spur.home", "spur.database.url", "spring.config.import").forEach(System::clearProperty);
        }
    }

    @Nested
    class BadInput {
        @ParameterizedTest
        @ValueSource(strings = {"99999", "-1"})
        void aNumberThatIsNoPort(String port) {
            assertRejected(
                    run("serve", "--port=" + port),
                    "spur: --port %s is out of range; expected 1 to 65535, or 0 for any free port.".formatted(port));
        }

        @ParameterizedTest
        @ValueSource(strings = {"localhost:8080", "127.0.0.1:8080"})
        void anAddressWithoutAProtocol(String address) {
            assertRejected(
                    run("jobs", "--service", address),
                    "spur: --service %1$s is not a URL of the service; expected http://HOST:PORT, for example http://%1$s."
                            .formatted(address));
            assertRejected(run("agent", "--service", address), "for example http://%s.".formatted(address));
        }

        @Test
        void anExportToADirectoryThatIsMissing() {
            assertRejected(
                    run("export", "/nope/x"),
                    "spur: The directory /nope of the file /nope/x does not exist. Create it, or choose another file.");
        }

        @Test
        void aSubmissionWithoutAJobOrWithARangeThatIsNone() {
            assertRejected(run("submit", "--gpus=2"), "spur: No job; state a file, or a command after --");
            assertRejected(
                    run("submit", "--gpus=four", "--", "true"),
                    "'four' is no number and no range; expected N or MIN-MAX, such as --gpus 4 or --gpus 1-4");
            assertRejected(
                    run("submit", "--batch=512-64", "--", "true"),
                    "the range '512-64' is reversed; expected the smaller number first, such as --batch 64-512");
        }

        @Test
        void aNumberOutsideOfTheRangeOfItsOption() {
            assertRejected(
                    run("submit", "--gpus=0", "--", "true"),
                    "0 is below 1; expected numbers from 1 to 100000, such as --gpus 4 or --gpus 1-4");
            assertRejected(
                    run("submit", "--batch=1-99999999999999", "--", "true"),
                    "99999999999999 is above the limit; expected numbers from 1 to 10000000, such as --batch 256");
            for (String slots : List.of("-1", "1025", "99999999")) {
                assertRejected(
                        run("agent", "--slots", slots, "--type=cpu", "--node=x"),
                        "spur: --slots %s is out of range; expected 0 to 1024, the number of devices of a node."
                                .formatted(slots));
            }
            for (String nodes : List.of("0", "1001", "100000000")) {
                assertRejected(
                        run("what-if", "--add-nodes", nodes, "--like=vm"),
                        "spur: --add-nodes %s is out of range; expected 1 to 1000.".formatted(nodes));
            }
            for (String time : List.of("0d", "3651d", "99999999999999999999h")) {
                assertRejected(
                        run("token", "create", "a", "--role=viewer", "--expires", time),
                        "spur: --expires %s is out of range; expected 1h to 3650d, or never.".formatted(time));
            }
        }

        @Test
        void aFileThatStatesAKeyTwice() throws Exception {
            Path yaml = Files.writeString(folder.resolve("twice.yaml"), "name: a\nspec:\n  priority: 1\nname: b\n");
            Path json = Files.writeString(folder.resolve("twice.json"), "{\"spec\": {\n\"a\": 1,\n\"a\": 1}}");

            assertRejected(
                    run("submit", yaml.toString()),
                    "spur: %s is not a job: line 4 repeats the key name.".formatted(yaml));
            assertRejected(
                    run("submit", json.toString()), "spur: %s is not a job: line 3 repeats the key a.".formatted(json));
        }

        @Test
        void filesThatAreMissing() {
            String file = folder.resolve("missing").toString();

            assertRejected(run("restore", file), "spur: There is no file %s.".formatted(file));
            assertRejected(run("submit", file), "spur: There is no file %s.".formatted(file));
            assertRejected(run("solve", file), "spur: There is no file %s.".formatted(file));
        }

        @Test
        void aClusterFileThatIsATrace() {
            String trace = Path.of("..", "examples", "trace.json").toString();

            assertRejected(
                    run("simulate", "--trace=" + trace, "--format=spur", "--policy=fifo", "--cluster=" + trace),
                    "spur: %s is not a cluster, such as examples/cluster.json: nodes must name at least one kind of node."
                            .formatted(trace));
        }

        @Test
        void aJobFileThatIsNoJob() throws Exception {
            Path text = Files.writeString(folder.resolve("README.md"), "# Spur\n\n- a: [b\n{ c\n");

            assertRejected(
                    run("submit", text.toString()),
                    "spur: %s is not a job: line 3, column 8 is neither YAML nor JSON.".formatted(text));
            assertRejected(
                    run("submit", Files.writeString(text, "Spur plans").toString()),
                    "is not a job: it contains no object.");
            for (String script : List.of("#SBATCH --gpus=1\npython a.py\n", "# comment\n#SBATCH -N1\n")) {
                assertRejected(
                        run("submit", Files.writeString(text, script).toString()),
                        "spur: The script %s has no #! line. Begin it with one, such as #!/bin/bash".formatted(text));
            }
        }

        private static void assertRejected(Printed printed, String message) {
            assertThat(printed.err()).contains(message).doesNotContain("dev.spur", "Exception");
            assertThat(printed.err().lines()).hasSizeLessThan(3);
            assertThat(printed.status()).isEqualTo(BAD_INPUT);
        }
    }

    private static Printed run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine line = Spur.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int status = line.execute(arguments);
        return new Printed(status, out.toString(), err.toString());
    }
}

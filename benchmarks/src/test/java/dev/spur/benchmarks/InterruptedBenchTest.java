package dev.spur.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class InterruptedBenchTest {
    private static final int INTERRUPTED = 130;
    private static final int ENDLESS = 1_000_000;
    private static final int SEEN = 5;

    @TempDir
    private Path folder;

    @Test
    void sigintDuringSolvesEndsTheProcessInOrder() throws Exception {
        Path output = folder.resolve("output");
        // env: the child would inherit an ignored SIGINT, for example from a build in the background
        Process process = new ProcessBuilder(List.of(
                        "env",
                        "--default-signal=INT",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xlog:gc+heap+exit",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Bench.class.getName(),
                        "ladder",
                        "--sizes=64x64",
                        "--methods=cpsat",
                        "--repeat=" + ENDLESS))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            awaitSolves(process, output);

            signal(process, "INT");

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(output)).as("an exit in order").contains("[gc,heap,exit");
            assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Waits until several solves have started: SIGQUIT prints the stacks of all threads. */
    private static void awaitSolves(Process process, Path output) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (Files.readString(output).split("SolveWrapper_solve\\(Native Method\\)", -1).length <= SEEN) {
            assertThat(process.isAlive() && System.nanoTime() < end)
                    .as(Files.readString(output))
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
            signal(process, "QUIT");
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}

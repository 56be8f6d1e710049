package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts in Python have tests in Python. */
class PythonTest {

    @Test
    void theTestsOfTheExampleTrainingPass() throws Exception {
        run(Interpreter.with("unittest"), "examples/training", "-m", "unittest");
    }

    @Test
    void theTestsOfThePackageThatNeedNoPyTorchPass() throws Exception {
        run(Interpreter.with("pytest"), "python", "-m", "pytest", "-q", "-rs", "-m", "not training");
    }

    @Test
    @Tag("training")
    void theTestsOfThePackageThatTrainPass() throws Exception {
        run(
                Interpreter.with("pytest, torch"),
                "python",
                "-m",
                "pytest",
                "-q",
                "-rs",
                "-m",
                "training and not frameworks");
    }

    @Test
    @Tag("training")
    void theTestsOfThePackageWithLightningAndTransformersPass() throws Exception {
        run(Interpreter.withFrameworks(), "python", "-m", "pytest", "-q", "-rs", "-m", "frameworks");
    }

    @Test
    @Tag("training")
    void theLintersFindNothing() throws Exception {
        String python = Interpreter.withLinters();
        for (List<String> linter : List.of(
                List.of("ruff", "check", "--no-cache", "."),
                List.of("mypy", "--no-incremental", "--cache-dir=/dev/null"))) {
            List<String> command = Stream.concat(Stream.of(python, "-B", "-m"), linter.stream())
                    .toList();

            assertThat(output(command, "python")).containsPattern("All checks passed|no issues found");
        }
    }

    private static void run(String python, String folder, String... arguments) throws Exception {
        List<String> command =
                Stream.concat(Stream.of(python, "-B"), Stream.of(arguments)).toList();

        assertThat(output(command, folder)).containsPattern("Ran [1-9][0-9]* test|[1-9][0-9]* passed");
    }

    /** Returns what the command prints, which must end with status 0. */
    private static String output(List<String> command, String folder) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(Path.of("..", folder).toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}

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

    private static void run(String python, String folder, String... arguments) throws Exception {
        List<String> command =
                Stream.concat(Stream.of(python, "-B"), Stream.of(arguments)).toList();
        Process tests = new ProcessBuilder(command)
                .directory(Path.of("..", folder).toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("Ran [1-9][0-9]* test|[1-9][0-9]* passed");
    }
}

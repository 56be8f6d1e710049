package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts in Python have tests in Python. */
class PythonTest {

    @Test
    void theTestsOfTheExampleTrainingPass() throws Exception {
        run(interpreter("unittest"), "examples/training", "-m", "unittest");
    }

    @Test
    void theTestsOfThePackagePassWithoutPyTorch() throws Exception {
        run(interpreter("pytest"), "python", "-m", "pytest", "-q", "-rs", "-m", "not training");
    }

    @Test
    @Tag("training")
    void theTestsOfThePackagePassWithPyTorch() throws Exception {
        run(interpreter("pytest, torch"), "python", "-m", "pytest", "-q", "-rs", "-m", "training");
    }

    private static void run(Optional<String> python, String folder, String... arguments) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder().directory(Path.of("..", folder).toFile()).redirectErrorStream(true);
        builder.command(Stream.concat(Stream.of(python.orElseThrow(), "-B"), Stream.of(arguments))
                .toList());
        Process tests = builder.start();
        String output = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("Ran [1-9][0-9]* test|[1-9][0-9]* passed");
    }

    /** Returns a Python that has the modules: of the path, or of the system; skips the test without one. */
    private static Optional<String> interpreter(String modules) throws Exception {
        Optional<String> found = Optional.empty();
        for (String python : List.of("python3", "/usr/bin/python3")) {
            if (found.isEmpty() && hasModules(python, modules)) {
                found = Optional.of(python);
            }
        }
        assumeTrue(
                found.isPresent(),
                "python3 with %s is missing: apt-get install python3-pytest python3-torch".formatted(modules));
        return found;
    }

    private static boolean hasModules(String python, String modules) throws Exception {
        try {
            return new ProcessBuilder(python, "-c", "import " + modules)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}

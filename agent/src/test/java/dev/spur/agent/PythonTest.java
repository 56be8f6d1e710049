package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts in Python have tests in Python. */
class PythonTest {

    @ParameterizedTest
    @ValueSource(strings = {"reporter", "examples/training"})
    void itsTestsPass(String folder) throws Exception {
        assumeTrue(hasPython(), "python3 is missing, so the tests in Python are left out");
        Process tests = new ProcessBuilder("python3", "-B", "-m", "unittest")
                .directory(Path.of("..", folder).toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("Ran [1-9][0-9]* test");
    }

    private static boolean hasPython() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
    }
}

package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClassArchiveTest {
    @Test
    void runsEveryClientCommand() throws Exception {
        assertThat(ClassArchive.run())
                .containsKeys("submit", "jobs", "apply")
                .allSatisfy((command, exitCode) -> assertThat(exitCode).isZero());
    }

    /** Other commands load the classes of the service, which takes longer. */
    @Test
    void theScriptStartsEveryClientCommandWithTheSmallProgram() throws Exception {
        String small = Files.readString(Path.of("..", "spur"))
                .lines()
                .filter(line -> line.startsWith("  agent | "))
                .findFirst()
                .orElseThrow();

        assertThat(small.split("[ |)]+", -1)).containsAll(ClassArchive.run().keySet());
    }
}

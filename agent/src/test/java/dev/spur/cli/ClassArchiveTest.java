package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClassArchiveTest {
    @Test
    void runsEveryClientCommand() throws Exception {
        assertThat(ClassArchive.run())
                .containsKeys(
                        "submit", "jobs", "queue", "why", "cancel", "plan", "nodes", "apply", "outcomes", "self-audit")
                .allSatisfy((command, exitCode) -> assertThat(exitCode).isZero());
    }
}

package dev.spur.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpurHomeTest {
    @TempDir
    private Path folder;

    @Test
    void aHomeThatIsTakenCannotBeTakenUntilItIsClosed() {
        Path home = folder.resolve("home");
        try (SpurHome first = SpurHome.take(home)) {
            assertThat(first.root()).isEqualTo(home);
            assertThatThrownBy(() -> SpurHome.take(home))
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("%s is in use by this process".formatted(home));
        }
        SpurHome.take(home).close();
    }

    @Test
    void aHomeBelowAFileCannotBeWritten() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> SpurHome.take(file.resolve("home")))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("Cannot write to the Spur home")
                .hasMessageContaining("Set SPUR_HOME to a directory that can be written.");
    }
}

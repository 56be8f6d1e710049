package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir
    private Path folder;

    @Test
    void keepsLogsInAnotherFolder() throws Exception {
        Path logs = folder.resolve("elsewhere");

        try (StateDirectory state = StateDirectory.open(folder.resolve("state"), logs)) {
            assertThat(state.log("a", 1, 0)).startsWithRaw(logs);
            assertThat(state.part("aggregators").log("a", 1, 0)).startsWithRaw(logs.resolve("aggregators"));
            assertThat(folder.resolve("state/logs")).doesNotExist();
        }
    }

    @Test
    void isCreatedForItsOwnerAloneWithItsParents() throws Exception {
        Path home = folder.resolve("spur");

        StateDirectory.open(home.resolve("agent/n1")).close();

        for (String part : new String[] {"", "agent", "agent/n1", "agent/n1/logs"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(part))))
                    .as(part)
                    .isEqualTo("rwx------");
        }
    }
}

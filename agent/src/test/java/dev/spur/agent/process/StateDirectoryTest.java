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

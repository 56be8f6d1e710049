package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {
    @TempDir
    private Path folder;

    private Path meminfo(String text) throws IOException {
        return Files.writeString(folder.resolve("meminfo"), text);
    }

    @Test
    void memoryIsThatOfTheMachine() throws IOException {
        Path meminfo = meminfo("MemTotal:       33554432 kB\nMemAvailable:   25165824 kB\n");

        assertThat(Host.memoryGiB(meminfo)).isEqualTo(32);
    }

    @Test
    void memoryThatIsNotInUseIsWhatIsAvailable() throws IOException {
        Path meminfo =
                meminfo("MemTotal:       33554432 kB\nMemFree:         1048576 kB\nMemAvailable:   25165824 kB\n");

        assertThat(Host.freeGiB(meminfo)).isEqualTo(24);
    }

    @Test
    void aMachineThatReportsNothingHasNoneAndNoneFree() {
        Path missing = folder.resolve("missing");

        assertThat(Host.memoryGiB(missing)).isZero();
        assertThat(Host.freeGiB(missing)).isZero();
    }
}

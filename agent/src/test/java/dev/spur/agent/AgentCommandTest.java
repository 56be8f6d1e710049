package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.inventory.Host;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AgentCommandTest {
    @Test
    void theSummaryOfANodeCountsItsDevices() {
        assertThat(summary(1)).startsWith("node n3: 1 device, 8 CPUs, 16.0 GiB; state in ");
        assertThat(summary(2)).startsWith("node n3: 2 devices, ");
    }

    private static String summary(int slots) {
        return AgentCommand.summary("n3", Host.ofSlots("n3", slots, "cpu").withHost(8, 16), Path.of("state"));
    }
}

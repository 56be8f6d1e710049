package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.inventory.FileDeviceHealth;
import dev.spur.agent.inventory.GpuUsage.DeviceUsage;
import dev.spur.agent.protocol.Messages.DeviceReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthWatchTest {
    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private Path stated;
    private Optional<Map<String, String>> driver = Optional.of(Map.of());
    private Map<String, DeviceUsage> usage = Map.of();
    private HealthWatch watch;

    @BeforeEach
    void twoDevices() {
        stated = folder.resolve("health");
        watch = new HealthWatch(
                List.of("d0", "d1"), List.of(() -> driver, new FileDeviceHealth(stated)), () -> usage, log::add);
    }

    private static DeviceReport report(String device, boolean healthy) {
        return new DeviceReport(device, healthy);
    }

    @Test
    void devicesWithoutAComplaintAreHealthy() {
        assertThat(watch.report()).isEmpty();

        assertThat(watch.observe()).isTrue();

        assertThat(watch.report()).containsExactly(report("d0", true), report("d1", true));
        assertThat(watch.observe()).as("nothing new").isFalse();
    }

    @Test
    void complaintsOfAllSourcesAreReported() throws IOException {
        Files.writeString(stated, "d1  too hot\n\nnot-of-this-node\n");
        driver = Optional.of(Map.of("d0", "gone"));
        watch.observe();
        watch.observe();

        assertThat(watch.report()).containsExactly(report("d0", false), report("d1", false));
        assertThat(log).containsExactly("device d0 is unhealthy: gone", "device d1 is unhealthy: too hot");

        Files.delete(stated);
        assertThat(watch.observe()).isTrue();
        assertThat(watch.report()).containsExactly(report("d0", false), report("d1", true));
        assertThat(log).endsWith("device d1 is healthy again");
    }

    @Test
    void whileASourceIsSilentNoDeviceIsSaidToBeHealthy() throws IOException {
        Files.writeString(stated, "d1\n");
        driver = Optional.empty();
        watch.observe();

        assertThat(watch.report()).containsExactly(report("d1", false));
    }

    @Test
    void reportsContainTheUseOfADeviceWithoutBeingAChangeOfItsHealth() {
        watch.observe();
        usage = Map.of("d1", new DeviceUsage(0.5, null, 300.0));

        assertThat(watch.observe()).isFalse();

        assertThat(watch.report()).containsExactly(report("d0", true), new DeviceReport("d1", true, 0.5, null, 300.0));
    }

    @Test
    void aFileThatCannotBeReadSaysNothing() throws IOException {
        Files.createDirectory(stated);
        watch.observe();

        assertThat(watch.report()).isEmpty();
    }
}

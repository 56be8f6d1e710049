package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.inventory.GpuUsage.DeviceUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a program that prints what nvidia-smi would; the texts for missing values are those of NVIDIA's manual. */
class GpuUsageTest {
    @TempDir
    private Path folder;

    private long nanos = Long.MAX_VALUE - 1;
    private GpuUsage usage;

    @BeforeEach
    void program() throws IOException {
        Path smi = Files.writeString(folder.resolve("nvidia-smi"), """
                #!/bin/sh
                [ "$*" = "--query-gpu=uuid,utilization.gpu,memory.used,power.draw --format=csv,noheader,nounits" ] || exit 2
                cat %1$s/output && exit "$(cat %1$s/status)"
                """.formatted(folder));
        assertThat(smi.toFile().setExecutable(true)).isTrue();
        usage = new GpuUsage(smi.toString(), () -> nanos);
        Files.writeString(folder.resolve("status"), "0");
    }

    private void print(String output) throws IOException {
        Files.writeString(folder.resolve("output"), output);
    }

    @Test
    void valuesAreSharesMebibytesAndWatts() throws IOException {
        print("GPU-a, 93, 61043, 512.34\nGPU-b, 0, 4, 71.05\n");

        assertThat(usage.get())
                .containsEntry("GPU-a", new DeviceUsage(0.93, 61043.0, 512.34))
                .containsEntry("GPU-b", new DeviceUsage(0.0, 4.0, 71.05));
    }

    @Test
    void unknownValuesAreNullAndLinesOfAnotherFormAreSkipped() throws IOException {
        print("""
                GPU-a, [N/A], 61043, [Unknown Error]
                GPU-b, -1, 1e9, NaN
                Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error
                """);

        assertThat(usage.get())
                .containsOnlyKeys("GPU-a", "GPU-b")
                .containsEntry("GPU-a", new DeviceUsage(null, 61043.0, null))
                .containsEntry("GPU-b", DeviceUsage.UNKNOWN);
    }

    @Test
    void aFailedQueryHasNoResult() throws IOException {
        print("GPU-a, 93, 61043, 512.34\n");
        Files.writeString(folder.resolve("status"), "15");

        assertThat(usage.get()).isEmpty();
        assertThat(new GpuUsage(folder.resolve("missing").toString(), () -> nanos).get())
                .isEmpty();
    }

    @Test
    void aResultIsKeptForFifteenSeconds() throws IOException {
        print("GPU-a, 10, 1, 1\n");
        usage.get();
        print("GPU-a, 20, 1, 1\n");

        nanos += TimeUnit.SECONDS.toNanos(14);
        assertThat(usage.get()).containsEntry("GPU-a", new DeviceUsage(0.1, 1.0, 1.0));
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(usage.get()).containsEntry("GPU-a", new DeviceUsage(0.2, 1.0, 1.0));
    }
}

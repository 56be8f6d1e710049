package dev.spur.benchmarks.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCoresTest {
    /** A step of the first row takes 32 / 16 = 2 s, in which 2 workers send what 0.5 cores sum in 2 s. */
    @Test
    void theLoadOfAllServersIsTheMedianOfTheMeasuredCores(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("speeds.txt"), """
                ('net', 'dist_sync', 32, 2, 2, [8.0, 8.0], [0.2, 0.3], [0.1, 0.1])
                ('net', 'dist_sync', 32, 1, 1, [32.0], [0.1], [0.1])
                ('net', 'dist_sync', 32, 1, 1, [16.0], [1.9], [0.1])
                ('net', 'dist_sync', 32, 1, 1, [0.0], [1.9], [0.1])
                ('other', 'dist_sync', 10, 1, 1, [10.0], [1.0], [0.1])
                """);

        assertThat(ServerCores.gradientBytes(file, 1000)).isEqualTo(Map.of("net", 500.0, "other", 1000.0));
    }
}

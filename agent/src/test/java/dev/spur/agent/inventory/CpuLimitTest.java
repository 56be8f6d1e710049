package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuLimitTest {
    @TempDir
    private Path folder;

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private double limit(String groups) throws IOException {
        return CpuLimit.of(Files.writeString(folder.resolve("groups"), groups), folder.resolve("root"));
    }

    @Test
    void theLimitOfAParentApplies() throws IOException {
        write("root/system.slice/cpu.max", "100000 100000\n");
        write("root/system.slice/spur.service/cpu.max", "max 100000\n");

        assertThat(limit("0::/system.slice/spur.service\n")).isEqualTo(1);
    }

    @Test
    void theLowestLimitApplies() throws IOException {
        write("root/a/cpu.max", "800000 100000\n");
        write("root/a/b/cpu.max", "150000 100000\n");
        write("root/a/b/c/cpu.max", "400000 100000\n");

        assertThat(limit("0::/a/b/c\n")).isEqualTo(1.5);
    }

    @Test
    void aContainerHasTheLimitOfItsRoot() throws IOException {
        write("root/cpu.max", "250000 100000\n");

        assertThat(limit("0::/\n")).isEqualTo(2.5);
        assertThat(limit("0::/outside/of/the/container\n")).isEqualTo(2.5);
    }

    @Test
    void versionOneHasQuotaAndPeriod() throws IOException {
        write("root/cpu/a/cpu.cfs_quota_us", "300000\n");
        write("root/cpu/a/cpu.cfs_period_us", "100000\n");
        write("root/cpu/a/b/cpu.cfs_quota_us", "-1\n");
        write("root/cpu/a/b/cpu.cfs_period_us", "100000\n");
        String groups = "4:memory:/a\n2:cpu,cpuacct:/a/b\n0::/\n";

        assertThat(limit(groups)).isEqualTo(3);
        Files.move(folder.resolve("root/cpu"), folder.resolve("root/cpu,cpuacct"));
        assertThat(limit(groups)).isEqualTo(3);
    }

    @Test
    void withoutAReadableLimitThereIsNone() throws IOException {
        write("root/a/cpu.max", "max 100000\n");
        write("root/b/cpu.max", "unexpected\n");

        assertThat(limit("0::/a\n")).isInfinite();
        assertThat(limit("0::/b\n")).isInfinite();
        assertThat(limit("no group\n")).isInfinite();
        assertThat(CpuLimit.of(folder.resolve("missing"), folder)).isInfinite();
    }
}

package dev.spur.agent.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * CPU limit of a process by control groups, version 1 or 2. The JDK 17 reads only the group of the process, but the
 * limit of each group above it applies too.
 */
final class CpuLimit {
    /** Names of the folder of the controller below the root: none in version 2. */
    private static final List<String> FOLDERS = List.of("", "cpu", "cpu,cpuacct");

    private CpuLimit() {}

    /**
     * Returns the lowest limit of the groups of a process and of all groups above them, in CPUs, above 0; positive
     * infinity if there is none.
     *
     * @param groups file with the groups of the process, like {@code /proc/self/cgroup}
     * @param root mount point of the control groups, like {@code /sys/fs/cgroup}
     */
    static double of(Path groups, Path root) {
        double least = Double.POSITIVE_INFINITY;
        for (String line : lines(groups)) {
            // ID:CONTROLLERS:PATH, without controllers in version 2
            String[] parts = line.split(":", 3);
            if (parts.length == 3
                    && (parts[1].isEmpty() || List.of(parts[1].split(",")).contains("cpu"))) {
                for (String folder : FOLDERS) {
                    least = Math.min(least, upTo(root.resolve(folder), parts[2]));
                }
            }
        }
        return least;
    }

    /** Returns the lowest limit from {@code root} to the group {@code path}; a container sees no folder of some. */
    private static double upTo(Path root, String path) {
        double least = limit(root);
        Path folder = root;
        for (Path name : Path.of(path)) {
            folder = folder.resolve(name);
            least = Math.min(least, limit(folder));
        }
        return least;
    }

    private static double limit(Path folder) {
        List<String> max = lines(folder.resolve("cpu.max"));
        return max.isEmpty()
                ? quotient(
                        String.join("", lines(folder.resolve("cpu.cfs_quota_us"))),
                        String.join("", lines(folder.resolve("cpu.cfs_period_us"))))
                : quotient(
                        max.get(0).split(" ", -1)[0],
                        max.get(0).substring(max.get(0).indexOf(' ') + 1));
    }

    /** Returns quota / period; positive infinity for the quota "max" or -1, and for an unknown one. */
    private static double quotient(String quota, String period) {
        return quota.matches("[1-9]\\d*") && period.matches("[1-9]\\d*")
                ? Double.parseDouble(quota) / Double.parseDouble(period)
                : Double.POSITIVE_INFINITY;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException missing) {
            return List.of();
        }
    }
}

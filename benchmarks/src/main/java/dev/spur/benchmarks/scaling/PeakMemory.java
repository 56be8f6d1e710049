package dev.spur.benchmarks.scaling;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Peak memory of this process since a reset. On Linux it is the resident memory, native memory of the solver included;
 * on other systems it is the Java heap only. Uncollected garbage is included.
 */
final class PeakMemory {
    private static final Path RESET = Path.of("/proc/self/clear_refs");
    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** Collects garbage and resets the peak. */
    @SuppressWarnings("SystemGc") // garbage of earlier measurements must not count
    static void reset() {
        System.gc();
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
        if (Files.isWritable(RESET)) {
            try {
                // 5 resets the peak to the current resident memory; see proc(5)
                Files.writeString(RESET, "5");
            } catch (IOException e) {
                // not permitted on all systems: the peak of the whole process, an upper limit, is then used
                return;
            }
        }
    }

    /** Returns the peak, MiB. */
    static long mib() {
        if (Files.isReadable(STATUS)) {
            try (Stream<String> lines = Files.lines(STATUS)) {
                return lines.filter(line -> line.startsWith("VmHWM:"))
                                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                                .sum()
                        >> 10;
            } catch (IOException e) {
                return heapMib();
            }
        }
        return heapMib();
    }

    private static long heapMib() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum()
                >> 20;
    }
}

package dev.spur.benchmarks.scaling;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The most memory that this process has held since a reset. On Linux that is all of it, the solver's own included;
 * elsewhere only the Java heap is known. Garbage that is not collected yet counts.
 */
final class PeakMemory {
    private static final Path RESET = Path.of("/proc/self/clear_refs");
    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** Collects garbage and begins anew. */
    @SuppressWarnings("SystemGc") // what earlier measurements have left must not count for the next one
    static void reset() {
        System.gc();
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
        if (Files.isWritable(RESET)) {
            try {
                // 5 sets the peak back to what is resident now; see proc(5)
                Files.writeString(RESET, "5");
            } catch (IOException e) {
                // not allowed everywhere: then the peak of the whole process stands, which is never too low
                return;
            }
        }
    }

    /** Mebibytes. */
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

package dev.spur.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Where and when a table was measured: without that a time says nothing. */
final class Machine {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private Machine() {}

    /** The command with these arguments, the day, the machine, and how busy it is right now; one line each. */
    static String describe(List<String> arguments) {
        return "# ./spur bench %s%n# %s".formatted(String.join(" ", arguments), describe());
    }

    /** The day, the machine, and how busy it is right now. */
    static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%s (UTC), %d cores (%s), %s of memory, Java %s, heap up to %d MiB, load average %.2f",
                LocalDate.now(ZoneOffset.UTC),
                runtime.availableProcessors(),
                fact(PROCESSORS, "model name"),
                fact(MEMORY, "MemTotal"),
                Runtime.version().feature(),
                runtime.maxMemory() >> 20,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** What Linux says of {@code name}; "unknown" elsewhere. */
    private static String fact(Path file, String name) {
        if (!Files.isReadable(file)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

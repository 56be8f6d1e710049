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

/** Header of a benchmark table: date, machine and load average. A time without its machine cannot be compared. */
final class Machine {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private Machine() {}

    /** Returns the command with these arguments, followed by date, machine and load average; one line each. */
    static String describe(List<String> arguments) {
        return "# ./spur bench %s%n# %s".formatted(String.join(" ", arguments), describe());
    }

    /** Returns date, machine and current load average. */
    static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%s (UTC), %d cores (%s), %s of memory, Java %s, heap up to %d MiB, load average %.2f",
                LocalDate.now(ZoneOffset.UTC),
                runtime.availableProcessors(),
                readValue(PROCESSORS, "model name"),
                readValue(MEMORY, "MemTotal"),
                Runtime.version().feature(),
                runtime.maxMemory() >> 20,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** Returns the value of {@code name} in {@code file} on Linux; "unknown" on other systems. */
    private static String readValue(Path file, String name) {
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

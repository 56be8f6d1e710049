package dev.spur.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Service in a separate process with its own PostgreSQL in a given home directory, on a free port. */
public final class ServiceProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Spur is ready: (http://\\S+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long START_SECONDS = 300;
    private static final long STOP_SECONDS = 60;
    private static final int DELETIONS = 20;

    private final Process process;
    private final URI address;

    private ServiceProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a service and waits until it is ready.
     *
     * @param home directory of its data and its output
     * @param environment environment variables in addition to those of this process
     */
    public static ServiceProcess start(Path home, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> arguments =
                java("-XX:+ExitOnOutOfMemoryError", "-XX:ThreadPriorityPolicy=1", "-XX:-PrintWarnings");
        arguments.addAll(List.of("dev.spur.service.Spur", "serve", "--port", "0"));
        Path output = home.resolve("output-" + System.nanoTime());
        ProcessBuilder builder =
                new ProcessBuilder(arguments).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SPUR_DATABASE"));
        builder.environment().put("SPUR_HOME", home.toString());
        builder.environment().put("SPUR_SECURITY_MODE", "local");
        builder.environment().putAll(environment);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ServiceProcess(process, awaitAddress(process, output));
    }

    /** Returns the beginning of a command that runs a class of this class path; the name of the class follows. */
    public static List<String> java(String... flags) {
        List<String> arguments = new ArrayList<>();
        arguments.add(ProcessHandle.current().info().command().orElse("java"));
        if (Runtime.version().feature() >= 24) {
            arguments.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        arguments.addAll(List.of(flags));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return arguments;
    }

    private static URI awaitAddress(Process process, Path output) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (process.isAlive() && System.nanoTime() < end) {
            Matcher ready = READY.matcher(Files.readString(output));
            if (ready.find()) {
                return URI.create(ready.group(1));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        process.destroyForcibly();
        throw new IllegalStateException("The service did not start: " + Files.readString(output));
    }

    /** Returns the base URL of the service. */
    public URI address() {
        return address;
    }

    /** Returns the resident memory of the process, MiB; 0 if {@code /proc} does not report it. */
    public long residentMiB() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        Matcher resident = RESIDENT.matcher(Files.readString(status));
        return resident.find() ? Long.parseLong(resident.group(1)) / 1024 : 0;
    }

    /** Returns the CPU time of the process and of its PostgreSQL so far, s; 0 where the system does not report it. */
    public double cpuSeconds() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(ProcessHandle::info)
                .flatMap(info -> info.totalCpuDuration().stream())
                .mapToDouble(used -> used.toMillis() / 1e3)
                .sum();
    }

    /** Returns whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Requests a graceful stop, and kills the process if it does not exit. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stop) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Deletes the data of a service in {@code home}. The PostgreSQL of a killed service can still write for a moment.
     */
    public static void delete(Path home) throws IOException, InterruptedException {
        for (int attempt = 1; attempt < DELETIONS; attempt++) {
            try {
                deleteAll(home);
                return;
            } catch (IOException | UncheckedIOException stillWritten) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
        deleteAll(home);
    }

    private static void deleteAll(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package dev.spur.service;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program as people start it: a process of its own with an environment of its own. */
final class SpurProcess implements AutoCloseable {

    private static final long LIMIT_SECONDS = 480;

    /** A process inherits an ignored SIGINT, for example from a shell that runs the build in the background. */
    private static final List<String> INTERRUPTIBLE =
            System.getProperty("os.name").equals("Linux") ? List.of("env", "--default-signal=INT") : List.of();

    private final Process process;
    private final Path output;

    private SpurProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** How the process ended and everything that it printed. */
    record Result(int status, String output) {}

    static SpurProcess start(Map<String, String> environment, String... arguments) throws IOException {
        return of(Spur.class, environment, arguments);
    }

    /** Another program of the tests that starts the service. */
    static SpurProcess of(Class<?> program, Map<String, String> environment, String... arguments) throws IOException {
        var words = new ArrayList<>(INTERRUPTIBLE);
        words.add(ProcessHandle.current().info().command().orElseThrow());
        words.addAll(accessFlags());
        // what costs least to start
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        words.addAll(List.of(arguments));
        // a demo decides by itself whether callers need a token
        Map<String, String> whole = new HashMap<>(environment);
        if (!List.of(arguments).contains("--demo")) {
            whole.putIfAbsent("SPUR_SECURITY_MODE", "local");
        }
        return start(words, whole);
    }

    static SpurProcess start(List<String> words, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("spur", ".out");
        var builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SPUR_DATABASE"));
        builder.environment().putAll(environment);
        return new SpurProcess(builder.start(), output);
    }

    /** A program in {@code folder} that does what ./spur would, without building. */
    static Path frontDoor(Path folder) throws IOException {
        Path program = folder.resolve("spur");
        String java = ProcessHandle.current().info().command().orElseThrow();
        Files.writeString(
                program,
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(java, System.getProperty("java.class.path"), Spur.class.getName()));
        if (!program.toFile().setExecutable(true)) {
            throw new IOException(program + " cannot be made a program");
        }
        return program;
    }

    /** The flags that the build gives to newer JDKs and that ./spur gives as well. */
    private static List<String> accessFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--enable-native-access") || flag.startsWith("--sun-misc-unsafe"))
                .toList();
    }

    static Result run(Map<String, String> environment, String... arguments) throws Exception {
        try (var spur = start(environment, arguments)) {
            return spur.awaitEnd();
        }
    }

    Result awaitEnd() throws Exception {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Still running; it printed: " + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    /** Waits until the process has printed a line that contains the text, and returns that line. */
    String awaitLine(String text) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (process.isAlive() && System.nanoTime() < deadline) {
            var found = lines().stream().filter(line -> line.contains(text)).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("Never printed \"%s\", but: %s".formatted(text, Files.readString(output)));
    }

    /** Waits until a thread of the process is inside {@code method}, the end of its name in a stack trace. */
    void awaitInStack(String method) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (process.isAlive() && System.nanoTime() < deadline) {
            signal("QUIT");
            Thread.sleep(50);
            if (lines().stream().anyMatch(line -> line.contains(method))) {
                return;
            }
        }
        throw new IllegalStateException("Never in %s, but: %s".formatted(method, Files.readString(output)));
    }

    /** Sends a signal such as {@code INT}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Asks the process to end, as a terminal or a supervisor does. */
    void terminate() {
        process.destroy();
    }

    /** Ends the process without a warning, as a failing machine does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    List<String> lines() throws IOException {
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(output);
    }
}

package dev.spur.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A program that is run until it exits. */
record SystemCommand(List<String> words) {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    SystemCommand {
        words = List.copyOf(words);
    }

    /** Result of a program: its exit status and all its output. */
    record Result(int status, String output) {

        boolean isSuccessful() {
            return status == 0;
        }
    }

    /**
     * Runs the program with {@code input} as its standard input.
     *
     * @throws IOException if the program cannot be started or does not exit within five minutes
     */
    Result run(String input) throws IOException {
        Path output = Files.createTempFile("spur", ".out");
        try {
            Process process = processBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (!Processes.awaitExit(process, LIMIT)) {
                process.destroyForcibly();
                throw new IOException("%s did not end within %s".formatted(words.get(0), LIMIT));
            }
            return new Result(process.exitValue(), Files.readString(output).strip());
        } finally {
            Files.delete(output);
        }
    }

    /** Returns a builder whose environment cannot redirect PostgreSQL or translate its messages. */
    static ProcessBuilder processBuilder(List<String> arguments) {
        var builder = new ProcessBuilder(arguments);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }
}

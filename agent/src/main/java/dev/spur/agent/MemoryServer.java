package dev.spur.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The program that serves lent memory: nbdkit with its memory plugin and TLS.
 *
 * @param program path or name of nbdkit
 * @param node name of this node, the user of its keys
 * @param address address on which it listens; empty for all
 * @param defect why the program cannot serve memory; empty if it can
 */
record MemoryServer(String program, String node, Optional<String> address, Optional<String> defect) {
    private static final String REMEDY = "apt-get install nbdkit, and start the agent again";

    /** Examines the program. */
    static MemoryServer of(String program, String node, Optional<String> address) throws InterruptedException {
        return new MemoryServer(program, node, address, findDefect(program));
    }

    private static Optional<String> findDefect(String program) throws InterruptedException {
        try {
            if (!output(program, "--dump-config").lines().anyMatch("tls=yes"::equals)) {
                return Optional.of("%s has no TLS: %s".formatted(program, REMEDY));
            }
            if (!output(program, "memory", "--dump-plugin").contains("name=memory")) {
                return Optional.of("%s has no memory plugin: %s".formatted(program, REMEDY));
            }
            return Optional.empty();
        } catch (IOException missing) {
            return Optional.of("%s cannot be started: %s".formatted(program, REMEDY));
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(command))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? text : "";
    }
}

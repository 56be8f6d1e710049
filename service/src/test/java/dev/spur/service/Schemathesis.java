package dev.spur.service;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Schemathesis, a generator of requests from an OpenAPI contract, in a virtual environment of Python in
 * {@code target/schemathesis}.
 */
final class Schemathesis {
    private static final Path SOURCES = Path.of("src/test/schemathesis").toAbsolutePath();
    private static final Path HOME = Path.of("target/schemathesis").toAbsolutePath();
    private static final Path REQUIREMENTS = SOURCES.resolve("requirements.txt");
    private static final Path INSTALLED = HOME.resolve("requirements.txt");
    private static final Path PROGRAM = HOME.resolve("bin/schemathesis");
    private static final int INSTALL_MINUTES = 5;

    private Schemathesis() {}

    /** Installs the pinned versions unless they are there; skips the test if Python, pip or a registry is missing. */
    static void install() throws IOException, InterruptedException {
        if (Files.exists(INSTALLED) && Files.mismatch(INSTALLED, REQUIREMENTS) < 0) {
            return;
        }
        Files.createDirectories(HOME);
        Path log = HOME.resolve("install.log");
        String pip = HOME.resolve("bin/pip").toString();
        boolean installed = succeeds(List.of("python3", "-m", "venv", HOME.toString()), log, INSTALL_MINUTES)
                && succeeds(
                        List.of(pip, "install", "--quiet", "--requirement", REQUIREMENTS.toString()),
                        log,
                        INSTALL_MINUTES);
        assumeTrue(
                installed,
                "Schemathesis cannot be installed (python3-venv, pip or the registry is missing; " + log + ")");
        Files.copy(REQUIREMENTS, INSTALLED, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Sends generated requests to all operations of the contract and returns the JSON report.
     *
     * @param address base URL of the service
     * @param token token of an operator
     * @param seconds time for all requests; each operation gets a share
     */
    static JsonNode run(String address, String token, int seconds) throws IOException, InterruptedException {
        Path report = HOME.resolve("report.json");
        Files.deleteIfExists(report);
        List<String> words = new ArrayList<>(List.of(PROGRAM.toString(), "--no-color"));
        words.addAll(
                List.of("--config-file", SOURCES.resolve("schemathesis.toml").toString()));
        words.addAll(List.of("run", Path.of("../openapi.yaml").toAbsolutePath().toString()));
        words.addAll(List.of("--url", address, "--header", "Authorization: Bearer " + token));
        words.addAll(List.of("--max-time", Integer.toString(seconds)));
        words.addAll(List.of("--report", "json", "--report-json-path", report.toString()));
        int minutes = 3 + seconds / 60;
        boolean passed = succeeds(words, output(), minutes);
        if (!Files.exists(report)) {
            throw new IllegalStateException(
                    "Schemathesis wrote no report within %d min (passed: %s): %s".formatted(minutes, passed, output()));
        }
        return RoundJson.mapper().readTree(Files.readString(report));
    }

    /** Returns the file with the requests that failed, as {@code curl} commands. */
    static Path output() {
        return HOME.resolve("output.log");
    }

    private static boolean succeeds(List<String> words, Path log, int minutes)
            throws IOException, InterruptedException {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(HOME.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment()
                    .put("SCHEMATHESIS_HOOKS", SOURCES.resolve("hooks.py").toString());
            process = builder.start();
        } catch (IOException missing) {
            Files.writeString(log, missing.toString());
            return false;
        }
        try {
            return process.waitFor(minutes, TimeUnit.MINUTES) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}

package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.Driver;

/** Client tools of PostgreSQL ({@code pg_dump}, {@code pg_restore}, {@code psql}) that work on one database. */
final class ClientTools {
    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)[^ \\n]*");

    /** Settings of the JDBC URL that the tools know, with their names as environment variables. */
    private static final Map<String, String> VARIABLES = Map.of(
            "PGHOST", "PGHOST",
            "PGPORT", "PGPORT",
            "PGDBNAME", "PGDATABASE",
            "user", "PGUSER",
            "password", "PGPASSWORD",
            "sslmode", "PGSSLMODE",
            "sslrootcert", "PGSSLROOTCERT",
            "sslcert", "PGSSLCERT",
            "sslkey", "PGSSLKEY");

    private final Map<String, String> environment;

    /** Creates tools for the database of a login. */
    ClientTools(Login login) {
        this.environment = environment(login);
    }

    /**
     * Returns the version of a tool, for example 17.6.
     *
     * @throws StartupFailure if the tool is not installed
     */
    String version(String tool) {
        return version(tool, matcher -> matcher.group().substring("(PostgreSQL) ".length()));
    }

    /**
     * Checks that a tool is installed and that its major version is at least that of the server.
     *
     * @throws StartupFailure otherwise
     */
    void requireVersionOf(Connection server, String tool) throws SQLException {
        int desired = server.getMetaData().getDatabaseMajorVersion();
        int found = Integer.parseInt(version(tool, matcher -> matcher.group(1)));
        if (found < desired) {
            throw new StartupFailure(
                    "%s has version %d, but the server has version %d. Install the client tools of PostgreSQL %3$d (Debian: postgresql-client-%3$d), and put them first in PATH."
                            .formatted(tool, found, desired));
        }
    }

    private String version(String tool, Function<Matcher, String> part) {
        try {
            Matcher matcher = VERSION.matcher(output(List.of(tool, "--version")));
            if (matcher.find()) {
                return part.apply(matcher);
            }
        } catch (IOException e) {
            throw new StartupFailure(
                    "The program %s does not start (%s). Install the client tools of PostgreSQL (Debian: postgresql-client)."
                            .formatted(tool, e.getMessage()),
                    e);
        }
        throw new StartupFailure(
                "The version of %s is unknown. Install the client tools of PostgreSQL.".formatted(tool));
    }

    /**
     * Runs a tool and returns its standard output.
     *
     * @throws IOException if it fails, with the first line of its standard error
     */
    String output(List<String> arguments) throws IOException {
        Path errors = Files.createTempFile("spur", ".err");
        try {
            Process process = start(arguments, errors);
            process.getOutputStream().close();
            String output;
            try (InputStream in = process.getInputStream()) {
                output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            requireSuccess(process, errors);
            return output;
        } finally {
            Files.delete(errors);
        }
    }

    /** Starts a tool whose standard error is written to a file. */
    Process start(List<String> arguments, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /**
     * Waits for a tool.
     *
     * @throws IOException if it fails, with the first line of its standard error
     */
    static void requireSuccess(Process process, Path errors) throws IOException {
        try {
            if (process.waitFor() != 0) {
                throw new IOException(Files.readString(errors)
                        .lines()
                        .findFirst()
                        .orElse("exit status %d without a message".formatted(process.exitValue())));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Map<String, String> environment(Login login) {
        Properties url = Objects.requireNonNull(Driver.parseURL(login.jdbcUrl(), null), "not a URL of PostgreSQL");
        Map<String, String> environment = new HashMap<>();
        VARIABLES.forEach((setting, variable) -> {
            String value = url.getProperty(setting);
            if (value != null) {
                environment.put(variable, value);
            }
        });
        environment.computeIfPresent("PGHOST", (name, hosts) -> hosts.replaceAll("[\\[\\]]", ""));
        if (!login.user().isEmpty()) {
            environment.put("PGUSER", login.user());
            environment.put("PGPASSWORD", login.password());
        }
        environment.put("PGAPPNAME", "spur");
        environment.put("PGCONNECT_TIMEOUT", "10");
        environment.put("LC_ALL", "C");
        // An archive contains the local time of its creation, without a zone.
        environment.put("TZ", "UTC");
        return environment;
    }
}

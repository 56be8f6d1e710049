package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An archive of {@code pg_dump} in its custom format.
 *
 * @param createdAt start of {@code pg_dump}, before its snapshot, by the clock of its machine
 * @param namespace database schema that contains the tables
 * @param schema version of the Spur schema, the number of the last migration
 * @param tool version of {@code pg_dump}
 */
record DumpArchive(Path file, Instant createdAt, String namespace, String schema, String tool) {
    private static final byte[] MAGIC = "PGDMP".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern CREATED =
            Pattern.compile("Archive created at (\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)");
    private static final Pattern TOOL = Pattern.compile("Dumped by pg_dump version: ([^ \\n]+)");
    private static final Pattern HISTORY = Pattern.compile("TABLE DATA (\\S+) flyway_schema_history ");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    /** Returns true if the file begins like an archive of {@code pg_dump}. */
    static boolean matches(Path file) {
        try (var in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        } catch (IOException e) {
            throw new StartupFailure("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * Reads the table of contents.
     *
     * @throws StartupFailure if {@code pg_restore} cannot read the file, or if it contains no Spur schema
     */
    static DumpArchive read(Path file, ClientTools tools) {
        String version = tools.version("pg_restore");
        try {
            String list = tools.output(List.of("pg_restore", "--list", file.toString()));
            String namespace = first(HISTORY, list, file);
            String history = tools.output(
                    List.of("pg_restore", "--file=-", "--data-only", "--table=flyway_schema_history", file.toString()));
            Instant createdAt =
                    LocalDateTime.parse(first(CREATED, list, file), TIME).toInstant(ZoneOffset.UTC);
            return new DumpArchive(file, createdAt, namespace, schema(history, file), first(TOOL, list, file));
        } catch (IOException e) {
            throw new StartupFailure("pg_restore %s cannot read %s: %s".formatted(version, file, e.getMessage()), e);
        }
    }

    private static String first(Pattern pattern, String text, Path file) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw noSpur(file);
        }
        return matcher.group(1);
    }

    /** Returns the version of the last successful row of the history, whose columns are separated by tabs. */
    private static String schema(String history, Path file) {
        List<String> lines = history.lines().toList();
        int copy = 0;
        while (copy < lines.size() && !lines.get(copy).startsWith("COPY ")) {
            copy++;
        }
        if (copy == lines.size()) {
            throw noSpur(file);
        }
        String header = lines.get(copy);
        List<String> columns = List.of(
                header.substring(header.indexOf('(') + 1, header.indexOf(')')).split(", ", -1));
        int rank = columns.indexOf("installed_rank");
        int version = columns.indexOf("version");
        int success = columns.indexOf("success");
        return lines.subList(copy + 1, lines.size()).stream()
                .takeWhile(line -> !line.equals("\\."))
                .map(line -> line.split("\t", -1))
                .filter(row -> row[success].equals("t") && !row[version].equals("\\N"))
                .max(Comparator.comparingInt(row -> Integer.parseInt(row[rank])))
                .map(row -> row[version])
                .orElseThrow(() -> noSpur(file));
    }

    private static StartupFailure noSpur(Path file) {
        return new StartupFailure("%s contains no Spur schema. Choose a file written by spur export.".formatted(file));
    }
}

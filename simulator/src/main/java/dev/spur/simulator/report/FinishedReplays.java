package dev.spur.simulator.report;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Store of the summaries of finished replays, by key. A file-based store appends one JSON object per line as soon as a
 * replay finishes, so an interrupted experiment resumes after the finished replays. Thread-safe.
 */
public final class FinishedReplays {
    /** A line of the file. */
    private record Line(String key, Summary summary) {
        Line {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(summary, "summary");
        }
    }

    private static final int HASH_BYTES = 8;

    private final @Nullable Path file;
    private final Map<String, Summary> summaries = new LinkedHashMap<>();

    private FinishedReplays(@Nullable Path file) {
        this.file = file;
    }

    /** Returns an in-memory store without a file. */
    public static FinishedReplays inMemory() {
        return new FinishedReplays(null);
    }

    /**
     * Returns the store in {@code file}, and reads the file if it exists. An incomplete last line is cut off.
     *
     * @throws IOException if another line of the file is not a finished replay
     */
    public static FinishedReplays in(Path file) throws IOException {
        FinishedReplays finished = new FinishedReplays(file);
        if (!Files.exists(file)) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            return finished;
        }
        String text = Files.readString(file);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (whole.length() < text.length()) {
            Files.writeString(file, whole);
        }
        int number = 0;
        for (String line : whole.lines().toList()) {
            finished.read(line, ++number);
        }
        return finished;
    }

    private void read(String line, int number) throws IOException {
        try {
            Line read = RoundJson.mapper().readValue(line, Line.class);
            summaries.put(read.key(), read.summary());
        } catch (JacksonException exception) {
            throw new IOException(
                    "Line %d of %s is not a finished replay of this version; delete the file to start again: %s"
                            .formatted(number, file, exception.getOriginalMessage()),
                    exception);
        }
    }

    /** Returns the summary of {@code key}; empty if that replay is not finished. */
    public synchronized Optional<Summary> find(String key) {
        return Optional.ofNullable(summaries.get(key));
    }

    /** Adds {@code summary}; it is in the file when the method returns. */
    public synchronized void add(String key, Summary summary) throws IOException {
        summaries.put(key, summary);
        if (file != null) {
            byte[] line = (RoundJson.mapper().writeValueAsString(new Line(key, summary)) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                ByteBuffer left = ByteBuffer.wrap(line);
                while (left.hasRemaining()) {
                    out.write(left);
                }
            }
        }
    }

    /** Returns a key: a readable name and a hash of everything that the replay depends on. */
    public static String key(String name, String... dependsOn) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : dependsOn) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return name + " " + HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException exception) {
            throw new IllegalStateException("SHA-256 is not available in this Java runtime", exception);
        }
    }
}

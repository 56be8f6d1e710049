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
 * Summaries of finished replays by a key that says what they are of. Kept in a file of one JSON object a line, each
 * written at once: whoever is killed goes on with what was finished. May be used by several threads.
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

    /** Kept in memory alone. */
    public static FinishedReplays inMemory() {
        return new FinishedReplays(null);
    }

    /**
     * Kept in {@code file}, which is read if it is there. A last line that was not written to its end is cut off.
     *
     * @throws IOException if the file holds another line that is not a finished replay
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
        } catch (JacksonException bad) {
            throw new IOException(
                    "Line %d of %s is no finished replay of this version; remove the file to begin anew: %s"
                            .formatted(number, file, bad.getOriginalMessage()),
                    bad);
        }
    }

    /** The summary kept under {@code key}; empty if that is not finished. */
    public synchronized Optional<Summary> find(String key) {
        return Optional.ofNullable(summaries.get(key));
    }

    /** Keeps {@code summary}; on return it is in the file. */
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

    /** A key of a name for people and a hash of all that the replay depends on. */
    public static String key(String name, String... dependsOn) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : dependsOn) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return name + " " + HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}

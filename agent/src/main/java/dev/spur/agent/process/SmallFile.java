package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Files of one line, written completely or not at all. */
public final class SmallFile {

    private SmallFile() {}

    /** Writes beside and renames, so that no reader sees a half. */
    public static void write(Path file, String text) {
        try {
            Path copy = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(copy, text + "\n");
            Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text without white space around it; empty if there is no such file. */
    public static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the file if it is there. */
    public static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all that is in it; nothing happens if there is none. */
    static void deleteTree(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

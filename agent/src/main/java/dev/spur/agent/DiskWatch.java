package dev.spur.agent;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Free space of the file systems of state and logs. Without space the agent starts no processes, because it could not
 * record them. Running processes are not affected. Thread-safe.
 */
final class DiskWatch {
    /** Required free space: the lesser of these bytes and this fraction of the file system. */
    private static final long FLOOR_BYTES = 64 << 20;

    private static final double FLOOR_FRACTION = 0.01;
    /** Free space that ends a shortage, as a multiple of the required one. */
    private static final int RECOVERY = 2;

    private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final List<Path> folders;
    private final Consumer<String> log;
    private Optional<String> shortage = Optional.empty();
    private long checkedAtNanos = System.nanoTime() - MAX_AGE_NANOS;

    /** @param folders existing folders whose file systems need free space */
    DiskWatch(List<Path> folders, Consumer<String> log) {
        this.folders = List.copyOf(folders);
        this.log = log;
    }

    /** Returns the folder without space and its free space, as a text for operators; empty if there is space. */
    synchronized Optional<String> shortage() {
        if (System.nanoTime() - checkedAtNanos >= MAX_AGE_NANOS) {
            checkedAtNanos = System.nanoTime();
            update(folders.stream()
                    .flatMap(folder -> shortageOf(folder).stream())
                    .findFirst());
        }
        return shortage;
    }

    private void update(Optional<String> found) {
        if (found.isPresent() != shortage.isPresent()) {
            log.accept(found.map(text -> text + ": no process is started until there is space")
                    .orElse("there is space on the disk again"));
        }
        shortage = found;
    }

    private Optional<String> shortageOf(Path folder) {
        try {
            FileStore store = Files.getFileStore(folder);
            double floor = Math.min(FLOOR_BYTES, FLOOR_FRACTION * store.getTotalSpace());
            double required = shortage.isPresent() ? RECOVERY * floor : floor;
            long free = store.getUsableSpace();
            return free >= required
                    ? Optional.empty()
                    : Optional.of("the disk of %s is full: %.1f MiB are free, and %.1f are required"
                            .formatted(folder, free / MIB, required / MIB));
        } catch (IOException e) {
            return Optional.of("the free space of %s is unknown: %s".formatted(folder, ErrorMessages.of(e)));
        }
    }

    private static final double MIB = 1 << 20;
}

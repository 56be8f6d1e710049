package dev.spur.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Limits age, number and total size of process logs; guards limit the size of each. Only files with log names are
 * deleted, because processes may work in the same folders. Must be called by the thread that starts runs, so that no
 * log is created concurrently.
 */
final class LogPruner {
    private static final Pattern NAME = Pattern.compile("gen-\\d+-rank-\\d+\\.log(\\.1)?");
    static final String EARLIER = ".1";

    private final Path folder;
    private final ProcessRuns.LogBounds bounds;

    LogPruner(Path folder, ProcessRuns.LogBounds bounds) {
        this.folder = folder;
        this.bounds = bounds;
    }

    /** A log file. */
    private record LogFile(Path file, long bytes, Instant written) {}

    /**
     * Deletes logs beyond the limits, oldest first.
     *
     * @param living logs of running processes, which are not deleted
     */
    void prune(Set<Path> living, Instant now) throws IOException {
        List<LogFile> all = find();
        long bytes = all.stream().mapToLong(LogFile::bytes).sum();
        int files = all.size();
        for (LogFile log : all) {
            boolean old = log.written().isBefore(now.minus(bounds.age()));
            boolean tooMuch = bytes > bounds.bytes() || files > bounds.files();
            if ((old || tooMuch) && !isOf(living, log.file())) {
                delete(log.file());
                bytes -= log.bytes();
                files--;
            }
        }
    }

    private static boolean isOf(Set<Path> living, Path file) {
        String name = file.toString();
        String own = name.endsWith(EARLIER) ? name.substring(0, name.length() - EARLIER.length()) : name;
        return living.contains(Path.of(own));
    }

    /** Returns the logs, oldest first. */
    private List<LogFile> find() throws IOException {
        List<LogFile> found = new ArrayList<>();
        try (Stream<Path> files = Files.find(folder, 2, (file, about) -> about.isRegularFile() && isLog(file))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
                found.add(
                        new LogFile(file, about.size(), about.lastModifiedTime().toInstant()));
            }
        }
        found.sort(Comparator.comparing(LogFile::written));
        return found;
    }

    private static boolean isLog(Path file) {
        return NAME.matcher(file.getFileName().toString()).matches();
    }

    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Path job = file.getParent();
        try (Stream<Path> others = Files.list(job)) {
            if (others.findAny().isEmpty()) {
                Files.delete(job);
            }
        } catch (NoSuchFileException gone) {
            // deleted concurrently by its job
        }
    }
}

package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Processes of this machine, read from {@code /proc}. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    /** Index of the start time in the fields after the name, which is in parentheses and may contain any character. */
    private static final int START_AFTER_NAME = 19;

    private static final int STATE_AFTER_NAME = 0;

    private ProcessTable() {}

    /** Returns the start time of a process in clock ticks since boot; empty if it does not exist or is a zombie. */
    static OptionalLong startTime(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean zombie = fields[STATE_AFTER_NAME].equals("Z") || fields[STATE_AFTER_NAME].equals("X");
            return zombie ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[START_AFTER_NAME]));
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns the processes with this variable in their initial environment, including descendants that inherited it.
     * Processes of other users are invisible.
     */
    static List<Long> carrying(String name, String value) {
        String desired = name + "=" + value;
        List<Long> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(PROC)) {
            entries.map(entry -> entry.getFileName().toString())
                    .filter(entry -> Character.isDigit(entry.charAt(0)))
                    .mapToLong(Long::parseLong)
                    .filter(pid -> environment(pid).contains(desired))
                    .filter(pid -> startTime(pid).isPresent())
                    .forEach(found::add);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the resident memory of a process without file pages, in pages of 4 KiB; 0 if it has ended. */
    static long residentPages(long pid) {
        try {
            String[] fields = Files.readString(PROC.resolve(pid + "/statm")).split(" ", -1);
            return Long.parseLong(fields[1]);
        } catch (IOException gone) {
            return 0;
        }
    }

    private static List<String> environment(long pid) {
        try {
            String all = Files.readString(PROC.resolve(pid + "/environ"), StandardCharsets.ISO_8859_1);
            return Arrays.asList(all.split("\0", -1));
        } catch (IOException goneOrForeign) {
            return List.of();
        }
    }
}

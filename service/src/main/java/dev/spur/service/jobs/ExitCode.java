package dev.spur.service.jobs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Meaning of exit codes, as shells report them. */
final class ExitCode {
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;
    /** A shell adds the number of the signal that killed a process. */
    private static final int SIGNALED = 128;

    private static final int LAST_SIGNAL = 64;
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"));

    private ExitCode() {}

    /** Returns the name of the signal that killed a process; null if none did. */
    static @Nullable String signal(@Nullable Integer code) {
        if (code == null || code <= SIGNALED || code > SIGNALED + LAST_SIGNAL) {
            return null;
        }
        int number = code - SIGNALED;
        return SIGNALS.getOrDefault(number, "signal " + number);
    }

    /** Returns how a process ended, as the predicate of a sentence. */
    static String predicate(int code) {
        String signal = signal(code);
        if (signal != null) {
            return "was killed by %s (exit code %d)".formatted(signal, code);
        }
        return switch (code) {
            case NOT_FOUND -> "exited with code 127: the program was not found";
            case NOT_EXECUTABLE -> "exited with code 126: the program is not executable";
            default -> "exited with code %d".formatted(code);
        };
    }
}

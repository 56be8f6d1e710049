package dev.spur.simulator.trace.format;

import dev.spur.simulator.trace.TraceReader;
import java.util.List;
import java.util.Optional;

/** The formats of traces by name. */
public final class TraceReaders {
    private static final List<TraceReader> ALL = List.of();

    private TraceReaders() {}

    /** All readers; the names of their formats are unique. */
    public static List<TraceReader> all() {
        return ALL;
    }

    /** The reader of {@code format}; empty if there is none. */
    public static Optional<TraceReader> of(String format) {
        return ALL.stream().filter(reader -> reader.format().equals(format)).findFirst();
    }
}

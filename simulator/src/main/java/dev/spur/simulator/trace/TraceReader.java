package dev.spur.simulator.trace;

import java.io.IOException;
import java.nio.file.Path;

/** Reads traces of one format. */
public interface TraceReader {
    /** Unique name of the format, as the command line says it. */
    String format();

    /** What the format is, in one line. */
    String summary();

    /**
     * Reads {@code file}. Rows that cannot be used are counted, not fatal.
     *
     * @throws IOException if the file cannot be read, or is not of this format
     */
    Trace read(Path file, ReadOptions options) throws IOException;
}

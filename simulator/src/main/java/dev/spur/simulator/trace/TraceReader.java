package dev.spur.simulator.trace;

import java.io.IOException;
import java.nio.file.Path;

/** Reader of traces of one format. */
public interface TraceReader {
    /** Returns the unique name of the format, as used on the command line. */
    String format();

    /** Returns a description of the format in one line. */
    String summary();

    /**
     * Reads {@code file}. Unusable rows are counted and skipped; they do not fail the read.
     *
     * @throws IOException if the file cannot be read, or is not of this format
     */
    Trace read(Path file, ReadOptions options) throws IOException;
}

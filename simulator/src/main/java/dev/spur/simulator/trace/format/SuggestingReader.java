package dev.spur.simulator.trace.format;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reader that rejects a file without any job. The message of each failure names the formats that read jobs from the
 * file.
 */
final class SuggestingReader implements TraceReader {
    private final TraceReader reader;
    private final List<TraceReader> otherReaders;

    SuggestingReader(TraceReader reader, List<TraceReader> otherReaders) {
        this.reader = reader;
        this.otherReaders = otherReaders.stream()
                .filter(other -> !other.format().equals(reader.format()))
                .toList();
    }

    @Override
    public String format() {
        return reader.format();
    }

    @Override
    public String summary() {
        return reader.summary();
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        Trace trace;
        try {
            trace = reader.read(file, options);
        } catch (NoSuchFileException exception) {
            throw exception;
        } catch (IOException exception) {
            throw new IOException("%s. %s".formatted(exception.getMessage(), suggestion(file, options)), exception);
        }
        if (trace.jobs().isEmpty()) {
            throw new IOException("%s has no job that format %s can read (%s). %s"
                    .formatted(file, format(), reasons(trace), suggestion(file, options)));
        }
        return trace;
    }

    private static String reasons(Trace trace) {
        return trace.skipped().isEmpty()
                ? "no row"
                : trace.skipped().entrySet().stream()
                        .map(entry -> "%d rows: %s".formatted(entry.getValue(), entry.getKey()))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private String suggestion(Path file, ReadOptions options) {
        String formats = otherReaders.stream()
                .map(other -> fit(other, file, options))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
        return formats.isEmpty()
                ? "No format reads a job from it; docs/reference/trace-formats.md lists the columns of each"
                : "Formats that would fit: " + formats;
    }

    /** Returns the format with the number of jobs that it reads; empty if it reads none. */
    private static String fit(TraceReader other, Path file, ReadOptions options) {
        try {
            int jobs = other.read(file, options).jobs().size();
            return jobs == 0 ? "" : "%s (%d jobs)".formatted(other.format(), jobs);
        } catch (IOException | RuntimeException exception) {
            return "";
        }
    }
}

package dev.spur.simulator.trace.parsing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/** Reader of text files with named columns. */
public final class DelimitedTable {
    private static final CSVFormat COMMAS = CSVFormat.DEFAULT
            .builder()
            .setIgnoreSurroundingSpaces(true)
            .setIgnoreEmptyLines(true)
            .get();
    /** Commands in these files may contain unbalanced quotes, which are not delimiters. */
    private static final CSVFormat TABS = CSVFormat.TDF
            .builder()
            .setQuote(null)
            .setIgnoreEmptyLines(true)
            .setIgnoreSurroundingSpaces(false)
            .get();

    private static final int BYTE_ORDER_MARK = 0xFEFF;
    /** Maximum characters of a header. */
    private static final int MAX_HEADER = 1 << 16;

    private DelimitedTable() {}

    /**
     * Returns the rows of a file with a header. They are separated by commas, semicolons, tabs or vertical bars, by the
     * header; a byte order mark is ignored.
     *
     * @throws IOException if the file cannot be read, or its header lacks one of {@code columns}
     */
    public static List<Row> read(Path file, String... columns) throws IOException {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return read(reader, file.toString(), columns);
        }
    }

    /** Returns the rows of {@code reader} likewise; messages refer to it as {@code name}. */
    public static List<Row> read(Reader reader, String name, String... columns) throws IOException {
        BufferedReader lines = new BufferedReader(reader);
        CSVFormat format = separatedLike(lines)
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .setAllowMissingColumnNames(true)
                .get();
        try (CSVParser parser = CSVParser.parse(lines, format)) {
            List<String> header =
                    parser.getHeaderNames().stream().map(String::strip).toList();
            for (String column : columns) {
                if (!header.contains(column)) {
                    throw new IOException("%s has no column %s; its columns are %s".formatted(name, column, header));
                }
            }
            return parser.stream().map(Row::new).toList();
        }
    }

    /** Skips a byte order mark, and returns the format with the separator that the header contains the most. */
    private static CSVFormat separatedLike(BufferedReader lines) throws IOException {
        lines.mark(1);
        if (lines.read() != BYTE_ORDER_MARK) {
            lines.reset();
        }
        lines.mark(MAX_HEADER);
        String header = Objects.requireNonNullElse(lines.readLine(), "");
        lines.reset();
        char separator = ',';
        for (char other : new char[] {';', '\t', '|'}) {
            separator = count(header, other) > count(header, separator) ? other : separator;
        }
        return separator == '\t'
                ? TABS
                : COMMAS.builder().setDelimiter(separator).get();
    }

    private static long count(String text, char separator) {
        return text.chars().filter(c -> c == separator).count();
    }

    /**
     * Returns the rows of a comma-separated file without a header, whose columns are {@code columns}.
     *
     * @throws IOException if the file cannot be read, or one of its rows has another number of columns
     */
    public static List<Row> readHeaderless(Path file, List<String> columns) throws IOException {
        return readHeaderless(file, COMMAS, columns);
    }

    /** Returns the rows of a tab-separated file likewise. */
    public static List<Row> readTabs(Path file, List<String> columns) throws IOException {
        return readHeaderless(file, TABS, columns);
    }

    private static List<Row> readHeaderless(Path file, CSVFormat format, List<String> columns) throws IOException {
        CSVFormat named =
                format.builder().setHeader(columns.toArray(String[]::new)).get();
        try (Reader reader = new StringReader(Files.readString(file));
                CSVParser parser = CSVParser.parse(reader, named)) {
            List<Row> rows = parser.stream().map(Row::new).toList();
            for (Row row : rows) {
                if (row.size() != columns.size()) {
                    throw new IOException("%s has %d columns in row %d instead of %d; the columns of this format are %s"
                            .formatted(file, row.size(), row.number(), columns.size(), columns));
                }
            }
            return rows;
        }
    }
}

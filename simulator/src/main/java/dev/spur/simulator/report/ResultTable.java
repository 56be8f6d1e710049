package dev.spur.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Table of results.
 *
 * @param header title of each column, with its unit
 * @param rows each has as many cells as the header
 */
public record ResultTable(List<String> header, List<List<String>> rows) {
    /** A number, or a mark of a missing one. */
    private static final Pattern NUMBER = Pattern.compile("[-+\u2212]?[0-9]|[-\u2013]?$");

    public ResultTable {
        header = List.copyOf(header);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != header.size()) {
                throw new IllegalArgumentException(
                        "Row %s has %d cells, but the header has %d".formatted(row, row.size(), header.size()));
            }
        }
    }

    /**
     * Returns a table of rows with named cells. A column follows the one that precedes it in the first row that has it.
     * A row without a column has an empty cell there.
     */
    public static ResultTable of(List<Map<String, String>> rows) {
        List<String> header = new ArrayList<>();
        for (Map<String, String> row : rows) {
            int next = 0;
            for (String column : row.keySet()) {
                int at = header.indexOf(column);
                if (at < 0) {
                    header.add(next++, column);
                } else {
                    next = at + 1;
                }
            }
        }
        return new ResultTable(
                header,
                rows.stream()
                        .map(row -> header.stream()
                                .map(column -> row.getOrDefault(column, ""))
                                .toList())
                        .toList());
    }

    /** Returns the table as tab-separated values with a header. */
    public String asTsv() {
        return lines().map(cells -> String.join("\t", cells)).collect(Collectors.joining("\n"));
    }

    /** Returns the table as text. A column whose cells all begin with a number is aligned to the right. */
    public String asText() {
        List<String> formats = IntStream.range(0, header.size())
                .mapToObj(column -> "%" + (isNumeric(column) ? "" : "-") + Math.max(1, width(column)) + "s")
                .toList();
        return lines().map(cells -> align(cells, formats)).collect(Collectors.joining("\n"));
    }

    private Stream<List<String>> lines() {
        return Stream.concat(Stream.of(header), rows.stream());
    }

    private boolean isNumeric(int column) {
        return rows.stream().allMatch(row -> NUMBER.matcher(row.get(column)).lookingAt());
    }

    private int width(int column) {
        return lines().mapToInt(cells -> cells.get(column).length()).max().orElse(0);
    }

    private static String align(List<String> cells, List<String> formats) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> formats.get(column).formatted(cells.get(column)))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }
}

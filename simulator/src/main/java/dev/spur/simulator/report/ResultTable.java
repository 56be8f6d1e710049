package dev.spur.simulator.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What was measured, for the terminal.
 *
 * @param header a title for each column, with its unit
 * @param rows as many cells each as the header
 */
public record ResultTable(List<String> header, List<List<String>> rows) {

    public ResultTable {
        header = List.copyOf(header);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != header.size()) {
                throw new IllegalArgumentException(
                        "row %s has %d cells, the header has %d".formatted(row, row.size(), header.size()));
            }
        }
    }

    /** For programs: a header and rows, the cells separated by tabs. */
    public String asTsv() {
        return lines().map(cells -> String.join("\t", cells)).collect(Collectors.joining("\n"));
    }

    /** For people: columns aligned to the right. */
    public String asText() {
        int[] widths = IntStream.range(0, header.size()).map(this::width).toArray();
        return lines().map(cells -> aligned(cells, widths)).collect(Collectors.joining("\n"));
    }

    private Stream<List<String>> lines() {
        return Stream.concat(Stream.of(header), rows.stream());
    }

    private int width(int column) {
        return lines().mapToInt(cells -> cells.get(column).length()).max().orElse(0);
    }

    private static String aligned(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(
                        column -> " ".repeat(widths[column] - cells.get(column).length()) + cells.get(column))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }
}

package dev.spur.service.cli.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Table with a title row; each column is as wide as its widest cell. */
final class Columns {
    private static final String GAP = "  ";

    private final List<String[]> lines = new ArrayList<>();
    private final Set<Integer> right = new TreeSet<>();

    Columns(String... titles) {
        lines.add(titles);
    }

    /** Aligns the given columns to the right, for numbers. */
    void alignRight(int... columns) {
        for (int column : columns) {
            right.add(column);
        }
    }

    /**
     * Adds a row.
     *
     * @param cells one cell for each title
     */
    void add(String... cells) {
        lines.add(cells);
    }

    String text() {
        int[] widths = new int[lines.get(0).length];
        for (String[] line : lines) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], line[c].length());
            }
        }
        List<String> rows = new ArrayList<>();
        for (String[] line : lines) {
            rows.add(row(line, widths));
        }
        return String.join(System.lineSeparator(), rows);
    }

    private String row(String[] cells, int[] widths) {
        StringBuilder row = new StringBuilder();
        for (int c = 0; c < cells.length; c++) {
            String blanks = " ".repeat(widths[c] - cells[c].length());
            row.append(c == 0 ? "" : GAP).append(right.contains(c) ? blanks + cells[c] : cells[c] + blanks);
        }
        return row.toString().stripTrailing();
    }
}

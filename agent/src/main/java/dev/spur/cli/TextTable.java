package dev.spur.cli;

import java.util.ArrayList;
import java.util.List;

/** A text table with a header. Each column is as wide as its widest cell. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();

    TextTable(String... titles) {
        lines.add(List.of(titles));
    }

    /** @param cells one cell for each column */
    void add(String... cells) {
        lines.add(List.of(cells));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int c = 0; c < line.size(); c++) {
                String cell = line.get(c);
                row.append(cell).append(" ".repeat(width(c) - cell.length())).append(GAP);
            }
            text.append(row.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private int width(int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }
}

package dev.spur.cli;

import dev.spur.cli.TableColumn.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A text table with a header. Each column is as wide as its widest cell; on a terminal that is too narrow, text columns
 * are shortened. Picocli's table has no alignment to the right and cuts text without a mark.
 */
final class TextTable {
    private static final String GAP = "  ";
    private static final String CUT = "...";
    private static final int MIN_TEXT = 8;
    private static final int SHORT_ID = 8;

    private final List<TableColumn> columns;
    private final Collection<JsonNode> items;

    TextTable(List<TableColumn> columns, Collection<JsonNode> items) {
        this.columns = columns;
        this.items = items;
    }

    /** Returns the table; {@code wide} has all columns, complete ids and no limit of the width. */
    String text(Terminal terminal, boolean wide) {
        List<TableColumn> shown = columns.stream()
                .filter(column -> wide || column.kind() != Kind.WIDE)
                .toList();
        List<List<String>> cells = new ArrayList<>();
        for (TableColumn column : shown) {
            List<String> values =
                    items.stream().map(column.cell()).map(TextTable::oneLine).toList();
            cells.add(wide ? values : narrow(column, values, terminal));
        }
        int[] widths = widths(shown, cells, wide ? Terminal.UNLIMITED : terminal.width());
        StringBuilder text = new StringBuilder();
        text.append(header(shown, widths, terminal)).append(System.lineSeparator());
        for (int row = 0; row < items.size(); row++) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < shown.size(); c++) {
                TableColumn column = shown.get(c);
                String cell = fit(cells.get(c).get(row), widths[c], column, c == shown.size() - 1);
                line.append(column.kind() == Kind.STATE ? terminal.state(cell) : cell)
                        .append(GAP);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Values of a column in a table that is not wide. */
    private static List<String> narrow(TableColumn column, List<String> values, Terminal terminal) {
        return switch (column.kind()) {
            case ID -> shorten(values);
            case TIME ->
                values.stream()
                        .map(time -> RelativeTime.of(time, terminal.now()))
                        .toList();
            default -> values;
        };
    }

    private static String header(List<TableColumn> shown, int[] widths, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < shown.size(); c++) {
            TableColumn column = shown.get(c);
            line.append(fit(column.title(), widths[c], column, c == shown.size() - 1))
                    .append(GAP);
        }
        return terminal.heading(line.toString().stripTrailing());
    }

    /** Width of each column: that of its widest cell, reduced for text until the line fits. */
    private static int[] widths(List<TableColumn> shown, List<List<String>> cells, int limit) {
        int[] widths = new int[shown.size()];
        long total = (long) GAP.length() * (shown.size() - 1);
        for (int c = 0; c < widths.length; c++) {
            widths[c] = cells.get(c).stream()
                    .mapToInt(String::length)
                    .reduce(shown.get(c).title().length(), Math::max);
            total += widths[c];
        }
        while (total > limit) {
            int widest = -1;
            for (int c = 0; c < widths.length; c++) {
                boolean shrinks = shown.get(c).kind() == Kind.TEXT
                        && widths[c] > Math.max(MIN_TEXT, shown.get(c).title().length());
                if (shrinks && (widest < 0 || widths[c] > widths[widest])) {
                    widest = c;
                }
            }
            if (widest < 0) {
                return widths;
            }
            widths[widest]--;
            total--;
        }
        return widths;
    }

    private static String fit(String cell, int width, TableColumn column, boolean last) {
        String cut = cell.length() > width ? cell.substring(0, width - CUT.length()) + CUT : cell;
        if (column.kind() == Kind.NUMBER) {
            return " ".repeat(width - cut.length()) + cut;
        }
        return last ? cut : cut + " ".repeat(width - cut.length());
    }

    /** The shortest prefixes, of 8 characters or more, that differ for different ids. */
    private static List<String> shorten(List<String> ids) {
        Set<String> different = new HashSet<>(ids);
        int length = SHORT_ID;
        while (different.stream().map(prefix(length)).distinct().count() < different.size()) {
            length++;
        }
        return ids.stream().map(prefix(length)).toList();
    }

    private static UnaryOperator<String> prefix(int length) {
        return id -> id.substring(0, Math.min(length, id.length()));
    }

    /** A cell without control characters, which names from other users may contain. */
    private static String oneLine(String cell) {
        return cell.replaceAll("\\p{Cntrl}+", " ");
    }
}

package dev.spur.cli;

import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Column of a {@link TextTable}.
 *
 * @param title heading
 * @param kind how the values are printed
 * @param cell value in the row of an item
 */
record TableColumn(String title, Kind kind, Function<JsonNode, String> cell) {
    /** How the values of a column are printed. */
    enum Kind {
        /** Shortened where the terminal is too narrow. */
        TEXT,
        /** Shortened to a unique prefix, except in wide tables. */
        ID,
        /** Colored by {@link Terminal#state}. */
        STATE,
        /** Aligned to the right. */
        NUMBER,
        /** Time, relative to that of the output except in wide tables. */
        TIME,
        /** Only in wide tables. */
        WIDE
    }

    static TableColumn column(String title, Kind kind, Function<JsonNode, String> cell) {
        return new TableColumn(title, kind, cell);
    }

    /**
     * Returns a column with the text of a member; a dash where it is null or missing.
     *
     * @param pointer JSON pointer of the member
     */
    static TableColumn column(String title, Kind kind, String pointer) {
        return new TableColumn(title, kind, item -> ServiceCommand.text(item.at(pointer)));
    }
}

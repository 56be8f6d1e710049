package dev.spur.service.store.archive;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as it is copied.
 *
 * @param name its name
 * @param columns its columns without generated ones
 */
record Table(String name, List<String> columns) {
    Table {
        columns = List.copyOf(columns);
    }

    /** Its name as SQL takes it. */
    String quoted() {
        return quoted(name);
    }

    /** Name and columns as SQL takes them. */
    String withColumns() {
        return columns.stream().map(Table::quoted).collect(Collectors.joining(", ", quoted() + " (", ")"));
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}

package dev.spur.service.backup;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Table of an export.
 *
 * @param columns its columns without generated ones
 */
record BackupTable(String name, List<String> columns) {
    BackupTable {
        columns = List.copyOf(columns);
    }

    /** Returns its name as a quoted SQL identifier. */
    String quoted() {
        return quoted(name);
    }

    /** Returns its name and columns as SQL. */
    String withColumns() {
        return columns.stream().map(BackupTable::quoted).collect(Collectors.joining(", ", quoted() + " (", ")"));
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}

package dev.spur.service.store.backup;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as it is copied.
 *
 * @param name its name
 * @param columns its columns without generated ones
 */
record BackupTable(String name, List<String> columns) {
    BackupTable {
        columns = List.copyOf(columns);
    }

    /** Its name as SQL takes it. */
    String quoted() {
        return quoted(name);
    }

    /** Name and columns as SQL takes them. */
    String withColumns() {
        return columns.stream().map(BackupTable::quoted).collect(Collectors.joining(", ", quoted() + " (", ")"));
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}

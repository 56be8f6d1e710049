package dev.spur.service.operations.backup;

import dev.spur.service.operations.backup.Catalog.BackupTable;
import java.time.Instant;
import java.util.List;

/**
 * Manifest of an export.
 *
 * @param format format of the file, {@link #FORMAT} for new files
 * @param product name and version of the exporting program
 * @param schema version of the schema, the number of the last migration
 * @param exportedAt start of the transaction of the export, by the clock of the database
 * @param tables the tables, each after those that it refers to
 */
record Manifest(
        int format, String product, String schema, Instant exportedAt, List<Part> tables, List<Counter> sequences) {
    /** Current format. */
    static final int FORMAT = 1;

    /** Name of its entry in the file. */
    static final String ENTRY = "manifest.json";

    public Manifest {
        tables = List.copyOf(tables);
        sequences = List.copyOf(sequences);
    }

    /**
     * Table of an export.
     *
     * @param columns columns in the order of the copy, without generated ones
     * @param sha256 SHA-256 digest of its entry, in hexadecimal digits
     */
    public record Part(String name, List<String> columns, long rows, String sha256) {
        public Part {
            columns = List.copyOf(columns);
        }

        /** Returns the name of its entry in the file. */
        String entry() {
            return "tables/" + name + ".copy";
        }

        BackupTable table() {
            return new BackupTable(name, columns);
        }
    }

    /**
     * Sequence.
     *
     * @param value last number that it issued
     */
    public record Counter(String name, long value) {}

    /** Returns the number of rows of all tables. */
    public long rows() {
        return tables.stream().mapToLong(Part::rows).sum();
    }
}

package dev.spur.service.store.backup;

import java.time.Instant;
import java.util.List;

/**
 * What an export holds.
 *
 * @param format of the file, {@link #FORMAT} for those that are written now
 * @param product name and version of what wrote it
 * @param schema version of the schema, the number of the last migration
 * @param exportedAt beginning of the transaction that read everything, by the clock of the database
 * @param tables the tables, those first that others refer to
 * @param sequences the sequences
 */
public record Manifest(
        int format, String product, String schema, Instant exportedAt, List<Part> tables, List<Counter> sequences) {
    /** The format that is written now. */
    static final int FORMAT = 1;

    /** Name of its entry. */
    static final String ENTRY = "manifest.json";

    public Manifest {
        tables = List.copyOf(tables);
        sequences = List.copyOf(sequences);
    }

    /**
     * A table.
     *
     * @param name its name
     * @param columns its columns in the order in which they were copied; generated ones are not
     * @param rows how many there are
     * @param sha256 digest of its entry, hexadecimal
     */
    public record Part(String name, List<String> columns, long rows, String sha256) {
        public Part {
            columns = List.copyOf(columns);
        }

        /** Name of its entry. */
        String entry() {
            return "tables/" + name + ".copy";
        }

        BackupTable table() {
            return new BackupTable(name, columns);
        }
    }

    /**
     * A sequence.
     *
     * @param name its name
     * @param value the last number that it gave
     */
    public record Counter(String name, long value) {}

    /** Rows of all tables. */
    public long rows() {
        return tables.stream().mapToLong(Part::rows).sum();
    }
}

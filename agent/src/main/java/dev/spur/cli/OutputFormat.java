package dev.spur.cli;

import java.util.Locale;

/** Output format of a command. */
enum OutputFormat {
    /** Columns that fit the terminal, or sentences. */
    TABLE,
    /** All columns, with complete ids and values. */
    WIDE,
    /** Response of the service as JSON. */
    JSON,
    /** Response of the service as YAML. */
    YAML,
    /** One id or name per line. */
    NAME;

    /** Returns the value of the option {@code --output}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.spur.service.usage;

import java.util.regex.Pattern;

/** Text of a table of comma-separated values (RFC 4180). */
public final class CsvText {
    /** Text that spreadsheets interpret as a formula. Submitters choose the names, so the table escapes it. */
    private static final Pattern FORMULA = Pattern.compile("^[=+\\-@\t\r]");

    private CsvText() {}

    /** Returns {@code value} in quotes. */
    public static String quoted(String value) {
        String safe = FORMULA.matcher(value).find() ? "'" + value : value;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}

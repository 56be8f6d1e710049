package dev.spur.service.cluster;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Text of a table of comma-separated values (RFC 4180). */
public final class CsvText {
    /** Text that spreadsheets interpret as a formula. Submitters choose the names, so the table escapes it. */
    private static final Pattern FORMULA = Pattern.compile("^[=+\\-@\t\r]");

    private CsvText() {}

    /** Returns the response with a table. */
    public static ResponseEntity<byte[]> response(String table) {
        return ResponseEntity.ok()
                .contentType(new MediaType("text", "csv", StandardCharsets.UTF_8))
                .body(table.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns {@code value} in quotes. */
    public static String quote(String value) {
        String safe = FORMULA.matcher(value).find() ? "'" + value : value;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}

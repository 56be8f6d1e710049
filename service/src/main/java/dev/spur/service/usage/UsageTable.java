package dev.spur.service.usage;

import dev.spur.service.usage.UsageStore.Usage;
import java.util.Locale;
import java.util.regex.Pattern;

/** A report as comma-separated values (RFC 4180). */
final class UsageTable {
    private static final String HEADER =
            "key,accelerator_type,slot_hours,aggregation_slot_hours,cost,jobs,allocations\r\n";
    /** Text that spreadsheets interpret as a formula. Submitters choose the names, so the table escapes it. */
    private static final Pattern FORMULA = Pattern.compile("^[=+\\-@\t\r]");

    private UsageTable() {}

    static String csv(UsageController.Report report) {
        StringBuilder csv = new StringBuilder(HEADER);
        for (Usage row : report.rows()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%.4f,%.4f,%.4f,%d,%d\r\n",
                    row.key() == null ? "" : text(row.key()),
                    text(row.acceleratorType()),
                    row.slotHours(),
                    row.aggregationSlotHours(),
                    row.cost(),
                    row.jobs(),
                    row.allocations()));
        }
        return csv.toString();
    }

    private static String text(String value) {
        String safe = FORMULA.matcher(value).find() ? "'" + value : value;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}

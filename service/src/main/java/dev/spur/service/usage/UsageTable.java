package dev.spur.service.usage;

import dev.spur.service.usage.UsageStore.Usage;
import java.util.Locale;

/** A report as comma-separated values (RFC 4180). */
final class UsageTable {
    private static final String HEADER =
            "key,accelerator_type,slot_hours,aggregation_slot_hours,cost,jobs,allocations\r\n";

    private UsageTable() {}

    static String csv(UsageController.Report report) {
        StringBuilder csv = new StringBuilder(HEADER);
        for (Usage row : report.rows()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%.4f,%.4f,%.4f,%d,%d\r\n",
                    row.key() == null ? "" : CsvText.quoted(row.key()),
                    CsvText.quoted(row.acceleratorType()),
                    row.slotHours(),
                    row.aggregationSlotHours(),
                    row.cost(),
                    row.jobs(),
                    row.allocations()));
        }
        return csv.toString();
    }
}

package dev.spur.benchmarks.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reader of service logs. */
public final class ServiceLog {
    private static final Pattern BEGINNING = Pattern.compile("^(?=\\d\\d:\\d\\d:\\d\\d\\.\\d{3} )", Pattern.MULTILINE);

    private ServiceLog() {}

    /** Returns the log entries with this request id, each with its continuation lines. */
    public static List<String> about(String id, String log) {
        List<String> entries = new ArrayList<>();
        for (String entry : BEGINNING.split(log, -1)) {
            if (!id.isEmpty() && entry.contains("(request " + id + ")")) {
                entries.add(entry.strip());
            }
        }
        return entries;
    }
}

package dev.spur.benchmarks.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a service has written down. */
public final class ServiceLog {
    private static final Pattern BEGINNING = Pattern.compile("^(?=\\d\\d:\\d\\d:\\d\\d\\.\\d{3} )", Pattern.MULTILINE);

    private ServiceLog() {}

    /** The entries of a log that name the request of this id, each with the lines that belong to it. */
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

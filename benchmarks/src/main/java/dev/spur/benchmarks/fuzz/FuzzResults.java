package dev.spur.benchmarks.fuzz;

import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results of fuzzing: responses by route and findings. Thread-safe. */
public final class FuzzResults {
    private static final int CLASSES = 6;
    private static final int SHOWN = 500;
    private static final String ALL = "all";

    private final Map<String, Row> rows = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();

    /**
     * A request whose response violated the contract.
     *
     * @param id request id in the service log; empty if there was no response
     * @param words the request and the violations
     */
    public record Finding(String id, String words) {
        @Override
        public String toString() {
            return words;
        }
    }

    private static final class Row {
        private final int[] byClass = new int[CLASSES];
        private int requests;
        private int findings;
    }

    synchronized void add(FuzzRequest request, int status, String id, List<String> misfits) {
        for (String name : List.of(request.route(), ALL)) {
            Row row = rows.computeIfAbsent(name, route -> new Row());
            row.requests++;
            row.byClass[status / 100]++;
            row.findings += misfits.isEmpty() ? 0 : 1;
        }
        if (!misfits.isEmpty()) {
            String wrong = misfits.toString();
            findings.add(new Finding(id, request + " -> " + wrong.substring(0, Math.min(SHOWN, wrong.length()))));
        }
    }

    /** Returns all findings in the order of the responses. */
    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Returns the number of responses of a status class, for example 2 for 200 to 299. */
    public synchronized int answered(int statusClass) {
        return rows.containsKey(ALL) ? rows.get(ALL).byClass[statusClass] : 0;
    }

    /** Returns one row per route and one row for all routes. */
    public synchronized ResultTable table() {
        List<List<String>> cells = new ArrayList<>();
        rows.forEach((route, row) -> {
            List<String> line = new ArrayList<>(List.of(route, Integer.toString(row.requests)));
            for (int statusClass = 2; statusClass < CLASSES; statusClass++) {
                line.add(Integer.toString(row.byClass[statusClass]));
            }
            line.add(Integer.toString(row.findings));
            cells.add(line);
        });
        return new ResultTable(List.of("route", "requests", "2xx", "3xx", "4xx", "5xx", "findings"), cells);
    }
}

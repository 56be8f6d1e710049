package dev.spur.benchmarks.profit;

import dev.spur.simulator.report.ResultTable;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Table of the money of replays: a row for each trace, number of nodes and policy, with means over the seeds. */
final class MoneyTable {
    private static final String BASELINE = "eta-greedy";
    private static final List<String> HEADER = List.of(
            "trace", "nodes", "load", "policy", "jobs", "revenue", "cost", "profit", "profit_to_greedy", "by_seed");

    private final List<MoneyRow> rows;

    private MoneyTable(List<MoneyRow> rows) {
        this.rows = rows;
    }

    static ResultTable of(List<MoneyRow> rows) {
        MoneyTable table = new MoneyTable(rows);
        return new ResultTable(
                HEADER,
                rows.stream()
                        .map(row -> List.of(row.trace(), row.nodes(), row.policy()))
                        .distinct()
                        .map(key -> table.line(rows.stream()
                                .filter(row -> List.of(row.trace(), row.nodes(), row.policy())
                                        .equals(key))
                                .toList()))
                        .toList());
    }

    /**
     * Returns the means over the seeds, the ratio of the profits, and the lowest and highest ratio of a seed; no ratios
     * to a baseline without profit.
     */
    private List<String> line(List<MoneyRow> own) {
        MoneyRow first = own.get(0);
        List<Double> ratios = own.stream()
                .filter(row -> baseline(row).profit() > 0)
                .map(row -> row.balance().profit() / baseline(row).profit())
                .sorted()
                .toList();
        boolean isComparable = ratios.size() == own.size();
        return List.of(
                first.trace(),
                Integer.toString(first.nodes()),
                text("%.2f", first.load()),
                first.policy(),
                text("%.0f of ", mean(own, row -> row.balance().done())) + first.jobs(),
                text("%.0f", mean(own, row -> row.balance().revenue())),
                text("%.0f", mean(own, row -> row.balance().cost())),
                text("%.0f", mean(own, row -> row.balance().profit())),
                isComparable ? text("%.2f", ratio(own)) : "-",
                isComparable
                        ? text("%.2f", ratios.get(0)) + " to " + text("%.2f", ratios.get(ratios.size() - 1))
                        : "-");
    }

    private double ratio(List<MoneyRow> own) {
        return mean(own, row -> row.balance().profit())
                / mean(own, row -> baseline(row).profit());
    }

    private Balance baseline(MoneyRow row) {
        return rows.stream()
                .filter(other -> other.trace().equals(row.trace())
                        && other.nodes() == row.nodes()
                        && other.seed() == row.seed()
                        && other.policy().equals(BASELINE))
                .findFirst()
                .orElseThrow()
                .balance();
    }

    private static double mean(List<MoneyRow> some, ToDoubleFunction<MoneyRow> figure) {
        return some.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}

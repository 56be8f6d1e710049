package dev.spur.simulator.report;

import java.util.List;
import java.util.Locale;

/** Table of summaries with one row per policy. */
public final class SummaryTable {
    private static final List<String> HEADER = List.of(
            "policy",
            "jobs",
            "mean JCT (s)",
            "median JCT (s)",
            "p99 JCT (s)",
            "mean queueing (s)",
            "makespan (h)",
            "GPU-hours",
            "efficiency",
            "restarts/job",
            "worst FTF",
            "decision (ms)",
            "gap median/p99/max (%)");

    private SummaryTable() {}

    /**
     * Returns the table. FTF is finish-time fairness: completion time divided by the completion time with an equal
     * private share.
     */
    public static ResultTable of(List<Summary> summaries) {
        return new ResultTable(HEADER, summaries.stream().map(SummaryTable::row).toList());
    }

    private static List<String> row(Summary summary) {
        return List.of(
                summary.policy(),
                Integer.toString(summary.jobs()),
                number("%.1f", summary.meanJctSeconds()),
                number("%.1f", summary.medianJctSeconds()),
                number("%.1f", summary.p99JctSeconds()),
                number("%.1f", summary.meanQueueingSeconds()),
                number("%.2f", summary.makespanSeconds() / 3600),
                number("%.1f", summary.gpuHours()),
                number("%.3f", summary.trainingEfficiency()),
                number("%.2f", summary.restartsPerJob()),
                number("%.2f", summary.worstFairness()),
                number("%.3f", summary.meanDecisionSeconds() * 1000),
                gaps(summary));
    }

    /** Returns the quantiles of the optimality gap over the decisions; {@code -} for a policy that proves none. */
    private static String gaps(Summary summary) {
        Double median = summary.medianGap();
        Double p99 = summary.p99Gap();
        Double max = summary.maxGap();
        return median == null || p99 == null || max == null
                ? "-"
                : String.format(Locale.ROOT, "%.4f/%.4f/%.4f", 100 * median, 100 * p99, 100 * max);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}

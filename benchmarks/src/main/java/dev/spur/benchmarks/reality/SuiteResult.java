package dev.spur.benchmarks.reality;

import dev.spur.model.Checks;
import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Result of the suite.
 *
 * @param outcomes outcomes of all scenarios under all policies; all scenarios have the same policies
 */
record SuiteResult(List<Outcome> outcomes) {
    /** Policies with which the summary compares, as far as they were run. */
    private static final List<String> REFERENCES =
            List.of("fifo", "easy-backfill", "srtf", "2d-las", "2d-las-short", "sia");

    private static final String EASY = "easy-backfill";
    private static final double HOUR = 3600;

    SuiteResult {
        outcomes = Checks.copy(outcomes);
    }

    /** Returns the figures by class and policy, in the order of the outcomes. */
    List<ClassFigures> figures() {
        Map<String, Double> best = outcomes.stream()
                .collect(Collectors.toMap(Outcome::scenario, Outcome::meanJctSeconds, Math::min));
        Map<List<String>, List<ClassFigures.Judged>> groups = new LinkedHashMap<>();
        for (Outcome outcome : outcomes) {
            double regret = outcome.meanJctSeconds() / Objects.requireNonNull(best.get(outcome.scenario())) - 1;
            groups.computeIfAbsent(List.of(outcome.className(), outcome.policy()), key -> new ArrayList<>())
                    .add(new ClassFigures.Judged(outcome, regret));
        }
        return groups.values().stream().map(ClassFigures::of).toList();
    }

    /** Returns a table with a row for each class and policy. */
    ResultTable byPolicy() {
        return ResultTable.of(figures().stream().map(SuiteResult::row).toList());
    }

    private static Map<String, String> row(ClassFigures figures) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("class", figures.className());
        row.put("policy", figures.policy());
        row.put("mean_jct_h", number(figures.meanJctSeconds() / HOUR));
        row.put("p99_jct_h", number(figures.p99JctSeconds() / HOUR));
        row.put("makespan_h", number(figures.makespanSeconds() / HOUR));
        row.put("restarts_per_job", number(figures.restartsPerJob()));
        row.put("restarts_per_rigid_job", number(figures.restartsPerRigidJob()));
        row.put("short_allocations_percent", percent(figures.shortShare()));
        row.put("longest_wait_h", number(figures.longestWaitSeconds() / HOUR));
        row.put("longest_idle_h", number(figures.longestIdleSeconds() / HOUR));
        row.put("unfinished", Integer.toString(figures.unfinished()));
        row.put("mean_regret_percent", percent(figures.meanRegret()));
        row.put("worst_regret_percent", percent(figures.worstRegret()));
        row.put("worst_seed", Long.toString(figures.worstSeed()));
        row.put("wall_s", number(figures.wallSeconds()));
        return row;
    }

    /**
     * Returns a table with a row for each class that compares {@code subject} with the best published policy of that
     * class, and its longest wait with that of EASY backfill. A cell is empty if the policies to compare with were not
     * run. Figures divided by those of another policy are below 1 if {@code subject} is better.
     */
    ResultTable summary(String subject) {
        Map<String, List<ClassFigures>> classes = figures().stream()
                .collect(Collectors.groupingBy(ClassFigures::className, LinkedHashMap::new, Collectors.toList()));
        return ResultTable.of(classes.values().stream()
                .flatMap(policies -> find(policies, subject).stream().map(own -> summaryRow(own, policies)))
                .toList());
    }

    private static Map<String, String> summaryRow(ClassFigures own, List<ClassFigures> policies) {
        Optional<ClassFigures> best = policies.stream()
                .filter(other -> REFERENCES.contains(other.policy()))
                .min(Comparator.comparingDouble(ClassFigures::meanJctSeconds));
        Map<String, String> row = new LinkedHashMap<>();
        row.put("class", own.className());
        row.put("scenarios", Integer.toString(own.scenarios()));
        row.put(
                "jct_to_best",
                best.map(other -> number(own.meanJctSeconds() / other.meanJctSeconds()))
                        .orElse(""));
        row.put("best", best.map(ClassFigures::policy).orElse(""));
        row.put(
                "wait_to_easy",
                find(policies, EASY)
                        .filter(easy -> easy.longestWaitSeconds() > 0)
                        .map(easy -> number(own.longestWaitSeconds() / easy.longestWaitSeconds()))
                        .orElse(""));
        row.put("restarts_per_rigid_job", number(own.restartsPerRigidJob()));
        row.put("short_allocations_percent", percent(own.shortShare()));
        row.put("unfinished", Integer.toString(own.unfinished()));
        row.put("mean_regret_percent", percent(own.meanRegret()));
        row.put("worst_regret_percent", percent(own.worstRegret()));
        row.put("worst_seed", Long.toString(own.worstSeed()));
        return row;
    }

    private static Optional<ClassFigures> find(List<ClassFigures> policies, String name) {
        return policies.stream().filter(other -> other.policy().equals(name)).findFirst();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}

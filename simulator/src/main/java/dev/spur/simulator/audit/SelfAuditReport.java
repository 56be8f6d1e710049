package dev.spur.simulator.audit;

import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.json.RoundJson;
import dev.spur.simulator.report.ResultTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Report of the self-audit of a past time range.
 *
 * @param since start of the range, inclusive
 * @param until end of the range, exclusive
 * @param summary the result in one sentence
 * @param jobs number of jobs whose completion times count
 * @param excluded number of other jobs that should count, because a replay did not end them
 * @param observed completion times in the history
 * @param baseline replay of the scheduler as it ran
 * @param regret regret by cause, in the order of removal
 * @param total sum of the regrets
 * @param bestObjective objective of the last replay
 * @param references replays of other policies with the information of the scheduler
 */
public record SelfAuditReport(
        Instant since,
        Instant until,
        String summary,
        int jobs,
        int excluded,
        Observed observed,
        AuditReplay baseline,
        List<AuditResult.Regret> regret,
        Total total,
        String bestObjective,
        List<AuditReplay> references) {
    public SelfAuditReport {
        regret = List.copyOf(regret);
        references = List.copyOf(references);
    }

    /**
     * Completion times of the counted jobs that are done.
     *
     * @param jobs number of these jobs
     * @param meanJctSeconds mean in the history, seconds; null for no job
     * @param replayedMeanJctSeconds mean in the baseline, seconds; null for no job
     */
    public record Observed(
            int jobs,
            @Nullable Double meanJctSeconds,
            @Nullable Double replayedMeanJctSeconds) {
        private static Observed of(PastRange range, AuditResult audit) {
            List<Double> observed = new ArrayList<>();
            List<Double> replayed = new ArrayList<>();
            for (PastJob job : range.jobs()) {
                Double before = job.jctSeconds();
                Double after = audit.baselineJctSeconds().get(job.id());
                if (before != null && after != null) {
                    observed.add(before);
                    replayed.add(after);
                }
            }
            return new Observed(observed.size(), mean(observed), mean(replayed));
        }

        private static @Nullable Double mean(List<Double> values) {
            return values.isEmpty()
                    ? null
                    : Double.valueOf(
                            values.stream().mapToDouble(Double::doubleValue).sum() / values.size());
        }
    }

    /** Sum of the regrets, in seconds and relative to the baseline. */
    public record Total(double seconds, double fraction) {}

    /** Returns the report of the audit of {@code range}. */
    public static SelfAuditReport of(PastRange range, AuditResult audit) {
        return new SelfAuditReport(
                range.since(),
                range.until(),
                audit.summary(),
                audit.jobs(),
                audit.excluded(),
                Observed.of(range, audit),
                audit.baseline(),
                audit.regret(),
                new Total(audit.totalSeconds(), audit.totalFraction()),
                audit.bestObjective().name(),
                audit.references());
    }

    /** Returns the report as text: the range, the summary, and a table with a row for each replay. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("baseline", baseline, "", ""));
        for (AuditResult.Regret one : regret) {
            rows.add(row(
                    "without " + one.cause().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    one.without(),
                    number("%.1f", 100 * one.fraction()),
                    number("%.0f", one.seconds())));
        }
        references.forEach(reference -> rows.add(row(reference.policy(), reference, "", "")));
        ResultTable table = new ResultTable(
                List.of("replay", "lost (%)", "lost per job (s)", "mean JCT (s)", "p99 JCT (s)", "restarts/job"), rows);
        return "%s to %s, %d jobs%n%s%n%n%s".formatted(since, until, jobs, summary, table.asText());
    }

    private static List<String> row(String name, AuditReplay replay, String fraction, String seconds) {
        return List.of(
                name,
                fraction,
                seconds,
                number("%.0f", replay.meanJctSeconds()),
                number("%.0f", replay.p99JctSeconds()),
                number("%.2f", replay.restartsPerJob()));
    }

    /** Returns the report as JSON. */
    public String json() {
        return RoundJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
    }

    /** Returns the report as CSV: the baseline, the replay without each cause, and the references. */
    public String csv() {
        StringBuilder csv = new StringBuilder(
                "replay,mean_jct_seconds,weighted_mean_jct_seconds,p99_jct_seconds,regret_seconds,regret_fraction\r\n");
        csv.append(line("BASELINE", baseline, "", ""));
        for (AuditResult.Regret one : regret) {
            csv.append(line(
                    one.cause().name(), one.without(), number("%.6f", one.seconds()), number("%.6f", one.fraction())));
        }
        references.forEach(reference -> csv.append(line(reference.policy(), reference, "", "")));
        return csv.toString();
    }

    private static String line(String name, AuditReplay replay, String seconds, String fraction) {
        return String.join(
                        ",",
                        name,
                        number("%.6f", replay.meanJctSeconds()),
                        number("%.6f", replay.weightedMeanJctSeconds()),
                        number("%.6f", replay.p99JctSeconds()),
                        seconds,
                        fraction)
                + "\r\n";
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}

package dev.spur.service.outcomes;

import dev.spur.service.cluster.CsvText;
import dev.spur.service.outcomes.OutcomeReport.Spread;
import dev.spur.service.outcomes.OutcomeReport.TenantOutcome;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Outcomes as comma-separated values (RFC 4180): the total first, with an empty tenant, then each tenant. */
final class OutcomeTable {
    private static final List<String> SPREADS = List.of(
            "queueing_delay_seconds", "jct_seconds", "slowdown", "job_training_efficiency", "restart_stall_seconds");
    private static final String HEADER = Stream.of(
                    Stream.of("tenant", "submitted", "started", "done", "failed", "canceled"),
                    SPREADS.stream().flatMap(OutcomeTable::columns),
                    Stream.of(
                            "training_efficiency",
                            "restarts",
                            "held_slot_hours",
                            "useful_slot_hours",
                            "cost",
                            "revenue",
                            "profit",
                            "deadlines_met",
                            "deadlines_missed"))
            .flatMap(columns -> columns)
            .collect(Collectors.joining(",", "", "\r\n"));

    private OutcomeTable() {}

    private static Stream<String> columns(String name) {
        return Stream.of("count", "mean", "p50", "p90", "p99").map(part -> name + "_" + part);
    }

    static String csv(OutcomeReport report) {
        return Stream.concat(Stream.of(report.total()), report.tenants().stream())
                .map(OutcomeTable::line)
                .collect(Collectors.joining("", HEADER, ""));
    }

    private static String line(TenantOutcome row) {
        List<String> cells = new ArrayList<>();
        cells.add(row.tenant() == null ? "" : CsvText.quote(row.tenant()));
        add(cells, row.jobs().submitted(), row.jobs().started());
        add(cells, row.jobs().done(), row.jobs().failed(), row.jobs().canceled());
        Stream.of(
                        row.queueingDelaySeconds(),
                        row.jctSeconds(),
                        row.slowdown(),
                        row.jobTrainingEfficiency(),
                        row.restartStallSeconds())
                .forEach(spread -> add(cells, spread));
        cells.add(number(row.trainingEfficiency()));
        add(cells, row.restarts());
        cells.add(number(row.heldSlotHours()));
        cells.add(number(row.usefulSlotHours()));
        cells.add(number(row.cost()));
        cells.add(number(row.revenue()));
        cells.add(number(row.profit()));
        add(cells, row.deadlines().met(), row.deadlines().missed());
        return String.join(",", cells) + "\r\n";
    }

    private static void add(List<String> cells, long... counts) {
        for (long count : counts) {
            cells.add(Long.toString(count));
        }
    }

    private static void add(List<String> cells, Spread spread) {
        add(cells, spread.count());
        cells.add(number(spread.mean()));
        cells.add(number(spread.p50()));
        cells.add(number(spread.p90()));
        cells.add(number(spread.p99()));
    }

    /** Returns seven significant digits without an exponent; empty for null. */
    private static String number(@Nullable Double value) {
        return value == null
                ? ""
                : new BigDecimal(value, new MathContext(7)).stripTrailingZeros().toPlainString();
    }
}

package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Command {@code spur outcomes}. */
@Command(
        name = "outcomes",
        description = "Print delays, completion times, efficiency, slot-hours and profit by tenant.",
        mixinStandardHelpOptions = true)
public final class OutcomesCommand extends ReadCommand {
    private static final List<TableColumn> COLUMNS = List.of(
            column("TENANT", TEXT, row -> row.path("tenant").isString() ? text(row.path("tenant")) : "(all)"),
            column("DONE", NUMBER, "/jobs/done"),
            column("FAILED", WIDE, "/jobs/failed"),
            column("CANCELED", WIDE, "/jobs/canceled"),
            column("DELAY P50", NUMBER, row -> seconds(row.at("/queueingDelaySeconds/p50"))),
            column("DELAY P90", WIDE, row -> seconds(row.at("/queueingDelaySeconds/p90"))),
            column("JCT P50", NUMBER, row -> seconds(row.at("/jctSeconds/p50"))),
            column("JCT P90", WIDE, row -> seconds(row.at("/jctSeconds/p90"))),
            column("JCT P99", NUMBER, row -> seconds(row.at("/jctSeconds/p99"))),
            column("SLOWDOWN P50", NUMBER, row -> number(row.at("/slowdown/p50"))),
            column("EFFICIENCY", NUMBER, row -> percent(row.path("trainingEfficiency"))),
            column("RESTARTS", NUMBER, "/restarts"),
            column("STALL P50", WIDE, row -> seconds(row.at("/restartStallSeconds/p50"))),
            column("SLOT-HOURS", NUMBER, row -> number(row.path("heldSlotHours"))),
            column("USEFUL", WIDE, row -> number(row.path("usefulSlotHours"))),
            column("COST", NUMBER, row -> number(row.path("cost"))),
            column("REVENUE", WIDE, row -> number(row.path("revenue"))),
            column("PROFIT", NUMBER, row -> number(row.path("profit"))),
            column("DEADLINES MET", WIDE, "/deadlines/met"),
            column("MISSED", WIDE, "/deadlines/missed"));
    private static final List<TableColumn> SLOTS = List.of(
            column("TYPE", TEXT, "/acceleratorType"),
            column("SLOT-HOURS", NUMBER, row -> number(row.path("totalSlotHours"))),
            column("HELD", NUMBER, row -> percent(row.path("heldUtilization"))),
            column("USEFUL", NUMBER, row -> percent(row.path("usefulUtilization"))),
            column("GPU", NUMBER, row -> percent(row.path("gpuUtilization"))));

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Start, such as 2026-01-05T00:00:00Z (default: one day before the end).")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "End (default: now).")
    private @Nullable String until;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode report = service.get("/api/v1/outcomes" + range(since, until));
        List<JsonNode> rows = new ArrayList<>(List.of(report.path("total")));
        report.path("tenants").forEach(rows::add);
        List<JsonNode> slots = new ArrayList<>();
        report.path("slots").forEach(slots::add);
        return new CommandOutput(
                report,
                rows.stream().skip(1).map(row -> text(row.path("tenant"))).toList(),
                (terminal, wide) -> new TextTable(COLUMNS, rows).text(terminal, wide)
                        + (slots.isEmpty() ? "" : line("") + new TextTable(SLOTS, slots).text(terminal, wide)));
    }

    /** Returns the query of a time range; empty for the default of the service. */
    private static String range(@Nullable String since, @Nullable String until) {
        List<String> parameters = new ArrayList<>();
        if (since != null) {
            parameters.add(ServiceOptions.parameter("since", since));
        }
        if (until != null) {
            parameters.add(ServiceOptions.parameter("until", until));
        }
        return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }

    private static String seconds(JsonNode node) {
        return node.isNumber() ? span(node.asDouble()) : "-";
    }
}

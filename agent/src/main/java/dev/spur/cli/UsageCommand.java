package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.column;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Command {@code spur usage}. */
@Command(
        name = "usage",
        description = "Print the slot-hours that jobs held, and their cost, by tenant, owner or label.",
        mixinStandardHelpOptions = true)
public final class UsageCommand extends ReadCommand {
    /** Key by which usage is summed. */
    enum Key {
        TENANT,
        OWNER
    }

    @Option(
            names = "--by",
            paramLabel = "KEY",
            description =
                    "tenant or owner (default: tenant). The usage of a tenant excludes that of the tenants below it.")
    private @Nullable Key by;

    @Option(names = "--label", paramLabel = "NAME", description = "Sum by the values of this label instead.")
    private @Nullable String label;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Start, such as 2027-01-01T00:00:00Z (default: seven days before the end).")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "End (default: now).")
    private @Nullable String until;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        if (by != null && label != null) {
            throw CommandFailure.ofInput("--by and --label exclude each other. State one of them.");
        }
        String key = label != null ? "label" : by == null ? "tenant" : by.name().toLowerCase(Locale.ROOT);
        List<String> parameters = new ArrayList<>(List.of(ServiceOptions.parameter("by", key)));
        add(parameters, "label", label);
        add(parameters, "since", since);
        add(parameters, "until", until);
        JsonNode report = service.get("/api/v1/usage?" + String.join("&", parameters));
        List<JsonNode> rows = report.path("rows").valueStream().toList();
        List<TableColumn> columns = List.of(
                column(
                        (label != null ? label : key).toUpperCase(Locale.ROOT),
                        TEXT,
                        row -> row.path("key").isString() ? text(row.path("key")) : "(none)"),
                column("TYPE", TEXT, "/acceleratorType"),
                column("SLOT-HOURS", NUMBER, row -> hours(row.path("slotHours"))),
                column("AGGREGATION", NUMBER, row -> hours(row.path("aggregationSlotHours"))),
                column("COST", NUMBER, row -> hours(row.path("cost"))),
                column("JOBS", NUMBER, "/jobs"),
                column("ALLOCATIONS", NUMBER, "/allocations"));
        return new CommandOutput(
                report,
                rows.stream().map(row -> text(row.path("key"))).distinct().toList(),
                (terminal, wide) -> line("Usage from %s to %s"
                                .formatted(
                                        time(report.path("since"), terminal, wide),
                                        time(report.path("until"), terminal, wide)))
                        + (rows.isEmpty()
                                ? line("No job held slots.")
                                : new TextTable(columns, rows).text(terminal, wide)));
    }

    private static String time(JsonNode time, Terminal terminal, boolean wide) {
        return wide ? text(time) : RelativeTime.of(text(time), terminal.now());
    }

    private static String hours(JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, "%.2f", value.asDouble()) : "-";
    }

    private static void add(List<String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.add(ServiceOptions.parameter(name, value));
        }
    }
}

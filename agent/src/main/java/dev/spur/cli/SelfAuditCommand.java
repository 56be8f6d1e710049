package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur self-audit}. */
@Command(
        name = "self-audit",
        description = "Print what completion times lost, by cause, or start a self-audit.",
        mixinStandardHelpOptions = true)
public final class SelfAuditCommand extends ServiceCommand {
    private static final String PATH = "/api/v1/self-audits";
    private static final List<TableColumn> COLUMNS = List.of(
            column(
                    "WITHOUT",
                    TEXT,
                    row -> row.path("cause")
                            .asString("")
                            .toLowerCase(Locale.ROOT)
                            .replace('_', ' ')),
            column("LOST", NUMBER, row -> percent(row.path("fraction"))),
            column("LOST PER JOB", NUMBER, row -> span(row.path("seconds").asDouble())),
            column(
                    "MEAN JCT",
                    NUMBER,
                    row -> span(row.at("/without/meanJctSeconds").asDouble())),
            column("P99 JCT", WIDE, row -> span(row.at("/without/p99JctSeconds").asDouble())),
            column("RESTARTS PER JOB", WIDE, row -> number(row.at("/without/restartsPerJob"))));

    @Parameters(paramLabel = "ID", arity = "0..1", description = "Id of the self-audit (default: the newest one).")
    private @Nullable String id;

    @Option(names = "--start", description = "Start a self-audit instead of printing one.")
    private boolean start;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "With --start: start of the range (default: one day before its end).")
    private @Nullable String since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "With --start: end of the range (default: the start of today, UTC).")
    private @Nullable String until;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode audit = start ? service.post(PATH, request()) : find(service);
        JsonNode results = audit.path("results");
        String name = text(audit.path("id"));
        if (!results.isObject()) {
            String error = audit.path("error").asString("");
            return CommandOutput.of(
                    audit,
                    name,
                    line("Self-audit %s: %s, %s done.%s"
                            .formatted(
                                    name,
                                    text(audit.path("state")),
                                    percent(audit.path("progress")),
                                    error.isEmpty() ? "" : " " + error)));
        }
        List<JsonNode> regret = new ArrayList<>();
        results.path("regret").forEach(regret::add);
        String head = line("%s to %s, %s jobs, mean JCT %s"
                        .formatted(
                                text(audit.at("/request/since")),
                                text(audit.at("/request/until")),
                                text(results.path("jobs")),
                                span(results.at("/baseline/meanJctSeconds").asDouble())))
                + line(text(results.path("summary")));
        return new CommandOutput(
                audit,
                List.of(name),
                (terminal, wide) -> head + line("") + new TextTable(COLUMNS, regret).text(terminal, wide));
    }

    private ObjectNode request() {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("since", since);
        request.put("until", until);
        return request;
    }

    private JsonNode find(ServiceOptions service) throws InterruptedException {
        if (since != null || until != null) {
            throw CommandFailure.ofInput("--since and --until require --start.");
        }
        if (id != null) {
            return service.get(PATH + "/" + id);
        }
        JsonNode newest = service.get(PATH + "?limit=1").path("items").path(0);
        if (newest.isMissingNode()) {
            throw new CommandFailure("There is no self-audit. ./spur self-audit --start starts one.");
        }
        return newest;
    }
}

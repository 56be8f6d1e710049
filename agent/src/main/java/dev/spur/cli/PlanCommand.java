package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.ID;
import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur plan}. */
@Command(
        name = "plan",
        description = "Print the current plan: its quality and the configuration of each running job.",
        mixinStandardHelpOptions = true)
public final class PlanCommand extends ReadCommand {
    private static final String CONFIGURATION = "/allocation/configuration";
    private static final List<TableColumn> COLUMNS = List.of(
            column("JOB", ID, "/jobId"),
            column("NAME", TEXT, "/name"),
            column("SLOTS", NUMBER, CONFIGURATION + "/slots"),
            column("TYPE", TEXT, CONFIGURATION + "/acceleratorType"),
            column("POOL", WIDE, CONFIGURATION + "/pool"),
            column("STRATEGY", WIDE, CONFIGURATION + "/strategy"),
            column("BATCH", NUMBER, CONFIGURATION + "/batchSize"),
            column("SAMPLES/S", NUMBER, entry -> number(entry.path("goodput"))),
            column("UTILITY", WIDE, entry -> number(entry.path("utility"))),
            column("CHANGE", TEXT, "/change"),
            column("NODES", TEXT, PlanCommand::nodes),
            column("MESSAGE", WIDE, "/message"));

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode plan = service.get("/api/v1/plans/current");
        Map<String, String> names = new HashMap<>();
        service.all("/api/v1/jobs?" + ServiceOptions.ACTIVE_FILTER)
                .forEach(job ->
                        names.put(job.path("id").asString(), job.path("name").asString()));
        List<JsonNode> running = plan.path("running").valueStream().toList();
        running.forEach(entry -> ((ObjectNode) entry)
                .put("name", names.getOrDefault(entry.path("jobId").asString(), "-")));
        String warning = service.ifAllowed("/api/v1/rounds?limit=50")
                .map(PlanCommand::warning)
                .orElse("");
        String revision = plan.path("revision").asString();
        return new CommandOutput(
                plan,
                List.of(revision),
                (terminal, wide) -> summary(plan, terminal, wide)
                        + warning
                        + (running.isEmpty()
                                ? line("No job runs.")
                                : new TextTable(COLUMNS, running).text(terminal, wide)));
    }

    /** A line about the newest rounds if they failed, so that the plan is outdated; otherwise empty. */
    private static String warning(JsonNode rounds) {
        List<JsonNode> failed = rounds.path("items")
                .valueStream()
                .filter(round -> round.path("finishedAt").isString())
                .takeWhile(round -> round.path("status").asString().equals("FAILED"))
                .toList();
        return failed.isEmpty()
                ? ""
                : line("Warning: %d of the last rounds failed in a row, so this plan remains. Round %s: %s"
                        .formatted(
                                failed.size(),
                                text(failed.get(0).path("number")),
                                text(failed.get(0).path("error")).replaceAll("\\s+", " ")));
    }

    private static String summary(JsonNode plan, Terminal terminal, boolean wide) {
        String published = plan.path("publishedAt").asString();
        JsonNode quality = plan.path("quality");
        return line("Plan %s of round %s, published %s: %s, gap %s, %d running, %d pending"
                        .formatted(
                                plan.path("revision").asString(),
                                plan.path("round").asString(),
                                wide ? published : RelativeTime.of(published, terminal.now()),
                                quality.path("status").asString(),
                                gap(quality.path("gap").asDouble()),
                                plan.path("running").size(),
                                plan.path("waiting").size()))
                + search(quality.path("search"));
    }

    /** A line about the steps that decided the plan; empty before the first plan. */
    private static String search(JsonNode search) {
        if (search.isMissingNode()) {
            return "";
        }
        String proof = search.path("proof").asString("");
        int openJobs = search.path("openJobs").asInt();
        return line("Found by %s%s%s"
                .formatted(
                        search.path("foundBy").asString(),
                        proof.isEmpty() ? "" : ", proved by " + proof,
                        openJobs == 0
                                ? ""
                                : "; %d jobs with %d candidates were open to CP-SAT"
                                        .formatted(
                                                openJobs,
                                                search.path("openCandidates").asInt())));
    }

    private static String gap(double gap) {
        return gap == 0 ? "0 %" : String.format(Locale.ROOT, "%.2g %%", 100 * gap);
    }

    private static String nodes(JsonNode entry) {
        return entry.at("/allocation/placement")
                .valueStream()
                .map(piece -> piece.path("node").asString())
                .collect(Collectors.joining(","));
    }
}

package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.STATE;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur nodes}. */
@Command(name = "nodes", description = "List nodes with their jobs.", mixinStandardHelpOptions = true)
public final class NodesCommand extends ReadCommand {
    private static final List<TableColumn> COLUMNS = List.of(
            column("NODE", TEXT, "/id"),
            column("POOL", TEXT, "/pool"),
            column("STATE", STATE, NodesCommand::state),
            column("TYPE", TEXT, "/acceleratorType"),
            column(
                    "SLOTS",
                    NUMBER,
                    node -> Integer.toString(node.path("devices").size())),
            column("USED", NUMBER, "/usedSlots"),
            column("CPUS", NUMBER, node -> number(node.path("cpus"))),
            column("MEMORY GIB", NUMBER, node -> number(node.path("memoryGiB"))),
            column("RACK", WIDE, "/rack"),
            column("PRICE", WIDE, node -> number(node.path("pricePerSlotHour"))),
            column("JOBS", TEXT, NodesCommand::jobs));

    @Option(names = "--pool", description = "Only nodes of this pool.")
    private @Nullable String pool;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        Map<String, List<JsonNode>> held = new HashMap<>();
        service.all("/api/v1/jobs?state=RUNNING&state=COMPLETING").forEach(job -> {
            job.at("/allocation/placement")
                    .forEach(piece -> held.computeIfAbsent(piece.path("node").asString(), node -> new ArrayList<>())
                            .add(job));
            if (job.has("grant")) {
                held.computeIfAbsent(job.at("/grant/node").asString(), node -> new ArrayList<>())
                        .add(job);
            }
        });
        List<JsonNode> nodes =
                service.all("/api/v1/nodes" + (pool == null ? "" : "?" + ServiceOptions.parameter("pool", pool)));
        if (nodes.isEmpty() && pool != null) {
            requirePool(service, pool);
        }
        List<JsonNode> windows = service.ifAllowed("/api/v1/maintenance-windows?state=DRAINING&state=ACTIVE&limit=500")
                .map(page -> page.path("items").valueStream().toList())
                .orElse(List.of());
        nodes.forEach(node ->
                ((ObjectNode) node).put("inMaintenance", windows.stream().anyMatch(window -> concerns(window, node))));
        nodes.forEach(
                node -> add((ObjectNode) node, held.getOrDefault(node.path("id").asString(), List.of())));
        CommandOutput list = CommandOutput.list(nodes, "id", "There are no nodes.", COLUMNS);
        String idle = service.format() == OutputFormat.TABLE || service.format() == OutputFormat.WIDE
                ? idleSlots(service)
                : "";
        return new CommandOutput(
                list.value(), list.names(), (terminal, wide) -> list.text().of(terminal, wide) + idle);
    }

    private static boolean concerns(JsonNode window, JsonNode node) {
        return window.path("nodes").valueStream().anyMatch(node.path("id")::equals)
                || node.path("pool").equals(window.path("pool"));
    }

    /** Returns the state of a node, with a mark while maintenance keeps jobs off. */
    private static String state(JsonNode node) {
        return node.path("state").asString("-") + (node.path("inMaintenance").asBoolean(false) ? " (maintenance)" : "");
    }

    /** Returns a line for each type and reason of idle slots; empty for a caller who may not read them. */
    private String idleSlots(ServiceOptions service) throws InterruptedException {
        String path =
                "/api/v1/idle-slots?limit=500" + (pool == null ? "" : "&" + ServiceOptions.parameter("pool", pool));
        String lines = service.ifAllowed(path)
                .map(page -> idleText(page.path("items")))
                .orElse("");
        return lines.isEmpty() ? "" : System.lineSeparator() + lines;
    }

    /** Returns a line for each element of a list of idle slots. */
    static String idleText(JsonNode slots) {
        return slots.valueStream()
                .map(idle -> "Idle: %d of %s in pool %s. %s%n"
                        .formatted(
                                idle.path("slots").asInt(0),
                                text(idle.path("acceleratorType")),
                                text(idle.path("pool")),
                                text(idle.path("message"))))
                .collect(Collectors.joining());
    }

    private static void requirePool(ServiceOptions service, String pool) throws InterruptedException {
        List<String> pools = service.all("/api/v1/pools").stream()
                .map(item -> text(item.path("name")))
                .toList();
        if (!pools.contains(pool)) {
            throw new CommandFailure("There is no pool %s. Pools: %s."
                    .formatted(pool, pools.isEmpty() ? "none" : String.join(", ", pools)));
        }
    }

    /** Adds the jobs that hold slots of a node, by the current plan. Jobs that share a device use one slot. */
    private static void add(ObjectNode node, List<JsonNode> held) {
        Set<String> used = new HashSet<>();
        var jobs = node.putArray("jobs");
        for (JsonNode job : held) {
            ObjectNode entry = jobs.addObject()
                    .put("id", job.path("id").asString())
                    .put("name", job.path("name").asString());
            if (job.has("deviceShare")) {
                entry.set("deviceShare", job.path("deviceShare"));
            }
            for (JsonNode piece : job.at("/allocation/placement")) {
                if (piece.path("node").equals(node.path("id"))) {
                    piece.path("devices").forEach(device -> used.add(device.asString()));
                }
            }
        }
        node.put("usedSlots", used.size());
    }

    private static String jobs(JsonNode node) {
        List<String> names = node.path("jobs")
                .valueStream()
                .map(job -> job.path("name").asString()
                        + (job.has("deviceShare") ? " (%s)".formatted(text(job.path("deviceShare"))) : ""))
                .toList();
        return names.isEmpty() ? "-" : String.join(",", names);
    }
}

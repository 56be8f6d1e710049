package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.ID;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur what-if}. */
@Command(
        name = "what-if",
        description = {
            "Print how the plan would change, and change nothing.",
            "The change is a job, with the file or the options of submit, changed nodes or jobs,"
                    + " or a file with the body of POST /api/v1/what-if."
        },
        customSynopsis = {
            "spur what-if [OPTIONS] [-- COMMAND...]",
            "       spur what-if [OPTIONS] FILE",
        },
        mixinStandardHelpOptions = true)
public final class WhatIfCommand extends ServiceCommand {
    /** Maximum number of nodes of one change in the contract of the service. */
    private static final int MAX_NODES = 1000;

    private static final List<TableColumn> COLUMNS = List.of(
            column("JOB", ID, "/jobId"),
            column("NAME", TEXT, "/name"),
            column("CHANGE", TEXT, "/change"),
            column("BEFORE", TEXT, change -> shape(change, "before", "goodputBefore")),
            column("AFTER", TEXT, change -> shape(change, "after", "goodputAfter")),
            column("RESTART", WIDE, change -> span(change.path("restartSeconds").asDouble())),
            column("MESSAGE", TEXT, "/message"));

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(names = "--add-nodes", paramLabel = "N", description = "Add N copies of the node of --like, 1 to 1000.")
    private @Nullable Integer addedNodes;

    @Option(names = "--like", paramLabel = "NODE", description = "Node to copy.")
    private @Nullable String like;

    @Option(names = "--remove-node", paramLabel = "NODE", description = "Remove a node; repeatable.")
    private List<String> removedNodes = List.of();

    @Option(names = "--drain", paramLabel = "NODE", description = "Drain a node; repeatable.")
    private List<String> drained = List.of();

    @Option(names = "--remove-job", paramLabel = "JOB", description = "Remove a job; repeatable.")
    private List<String> removedJobs = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode changes = body.putArray("changes");
        Map<String, String> names = new HashMap<>();
        addNodes(service, changes);
        removedNodes.forEach(node -> changes.addObject()
                .put("change", "REMOVE_NODES")
                .putArray("nodes")
                .add(node));
        drained.forEach(node -> changes.addObject()
                .put("change", "SET_NODE_STATE")
                .put("node", node)
                .put("state", "DRAINING"));
        for (String removed : removedJobs) {
            changes.addObject().put("change", "REMOVE_JOB").put("job", service.job(removed));
        }
        if (job.isPresent()) {
            addJob(job.body(), changes);
        }
        if (changes.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "No change; state a job as for submit, or one of --add-nodes, --remove-node, --drain, --remove-job.");
        }
        service.nameFields(job::field);
        JsonNode result = service.post("/api/v1/what-if", body);
        service.all("/api/v1/jobs?" + ServiceOptions.ACTIVE_FILTER)
                .forEach(known -> names.put(
                        known.path("id").asString(), known.path("name").asString()));
        return new CommandOutput(
                result,
                result.path("changes").findValuesAsString("jobId"),
                (terminal, wide) -> text(result, names, terminal, wide));
    }

    private void addNodes(ServiceOptions service, ArrayNode changes) throws InterruptedException {
        if (addedNodes == null && like == null) {
            return;
        }
        if (addedNodes == null || like == null) {
            throw new ParameterException(spec.commandLine(), "--add-nodes N and --like NODE belong together.");
        }
        if (addedNodes < 1 || addedNodes > MAX_NODES) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--add-nodes %d is out of range; expected 1 to %d.".formatted(addedNodes, MAX_NODES));
        }
        String path = "/api/v1/nodes/" + like;
        Optional<ServiceOptions.Tagged> model = service.find(path);
        JsonNode node = model.orElseThrow(
                        () -> new CommandFailure("There is no node %s. ./spur nodes lists the nodes.".formatted(like)))
                .value();
        ArrayNode nodes = changes.addObject().put("change", "ADD_NODES").putArray("nodes");
        for (int n = 1; n <= addedNodes; n++) {
            nodes.add(((ObjectNode) node.deepCopy())
                    .put("id", "%s-copy-%d".formatted(like, n))
                    .put("state", "ACTIVE"));
        }
    }

    /** Adds a job, or the changes of a file that contains changes. */
    private static void addJob(ObjectNode stated, ArrayNode changes) {
        if (stated.has("changes")) {
            changes.addAll(stated.path("changes").valueStream().toList());
            return;
        }
        ObjectNode change = changes.addObject().put("change", "ADD_JOB");
        change.put("job", stated.path("name").asString("job"));
        for (String member : List.of("tenant", "spec", "deadline")) {
            if (stated.has(member)) {
                change.set(member, stated.path(member));
            }
        }
    }

    private static String text(JsonNode result, Map<String, String> names, Terminal terminal, boolean wide) {
        StringBuilder text = new StringBuilder();
        List<JsonNode> rows = result.path("changes").valueStream().toList();
        rows.forEach(row -> ((ObjectNode) row)
                .put(
                        "name",
                        names.getOrDefault(
                                row.path("jobId").asString(), row.path("jobId").asString())));
        text.append(
                rows.isEmpty()
                        ? line("No running job would change.")
                        : new TextTable(COLUMNS, rows).text(terminal, wide));
        for (JsonNode job : result.path("waiting")) {
            String id = job.path("jobId").asString();
            if (!names.containsKey(id)) {
                text.append(line("%s would be pending: %s"
                        .formatted(id, job.path("message").asString())));
            }
        }
        int pending = result.path("waiting").size();
        return text.append(line("%d %s would be pending.".formatted(pending, pending == 1 ? "job" : "jobs")))
                .append(NodesCommand.idleText(result.path("idleSlots")))
                .toString();
    }

    private static String shape(JsonNode change, String allocation, String goodput) {
        JsonNode configuration = change.path(allocation).path("configuration");
        return configuration.isMissingNode()
                ? "-"
                : "%s %s, %s/s"
                        .formatted(
                                configuration.path("slots").asString(),
                                configuration.path("acceleratorType").asString(),
                                number(change.path(goodput)));
    }
}

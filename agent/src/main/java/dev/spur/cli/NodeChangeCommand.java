package dev.spur.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A command that sets the state of each of several nodes. */
abstract class NodeChangeCommand extends ChangeCommand {
    private static final Map<String, String> EFFECTS = Map.of(
            "ACTIVE", "its jobs run, and new jobs may start on it",
            "CORDONED", "its jobs stay until they end, and no new job starts on it",
            "DRAINING", "its preemptible jobs move away, and no new job starts on it",
            "LOST", "it does not respond, and its jobs have stopped");

    private final String operation;

    @Parameters(
            arity = "1..*",
            paramLabel = "NODE",
            description = "Names of nodes. Each failure is reported; the other nodes are changed.")
    private List<String> nodes = List.of();

    /**
     * Creates the command.
     *
     * @param operation last part of the path of the operation
     */
    NodeChangeCommand(String operation) {
        this.operation = operation;
    }

    @Override
    final List<String> resources() {
        return nodes;
    }

    @Override
    final JsonNode change(ServiceOptions service, String node) throws InterruptedException {
        return service.post(
                "/api/v1/nodes/%s/%s".formatted(URLEncoder.encode(node, StandardCharsets.UTF_8), operation));
    }

    @Override
    final String message(JsonNode node) {
        String state = text(node.path("state"));
        return "Node %s is %s: %s."
                .formatted(text(node.path("id")), state, EFFECTS.getOrDefault(state, "see ./spur nodes"));
    }
}

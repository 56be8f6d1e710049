package dev.spur.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur label NODE NAME=VALUE...}. */
@Command(
        name = "label",
        description = "Set and remove labels of a node, which jobs may require. The next round plans with them.",
        mixinStandardHelpOptions = true)
public final class LabelCommand extends ServiceCommand {
    @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node.")
    private String node = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "NAME=VALUE",
            description = "NAME=VALUE sets a label, and NAME- removes it.")
    private List<String> changes = List.of();

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode labels = patch.putObject("labels");
        changes.forEach(change -> put(labels, change));
        JsonNode changed = service.patch("/api/v1/nodes/" + URLEncoder.encode(node, StandardCharsets.UTF_8), patch);
        String all = changed.path("labels")
                .propertyStream()
                .map(label -> label.getKey() + "=" + label.getValue().asString(""))
                .collect(Collectors.joining(", "));
        return CommandOutput.of(
                changed,
                node,
                line(
                        all.isEmpty()
                                ? "Node %s has no labels.".formatted(node)
                                : "Labels of node %s: %s.".formatted(node, all)));
    }

    private static void put(ObjectNode labels, String change) {
        int equals = change.indexOf('=');
        if (equals > 0) {
            labels.put(change.substring(0, equals), change.substring(equals + 1));
        } else if (equals < 0 && change.length() > 1 && change.endsWith("-")) {
            labels.putNull(change.substring(0, change.length() - 1));
        } else {
            throw CommandFailure.ofInput(
                    "The label '%s' must be NAME=VALUE to set it, or NAME- to remove it.".formatted(change));
        }
    }
}

package dev.spur.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A command that applies the same change to each of several resources. A failure is reported and does not prevent the
 * other changes; the exit code is that of the first failure.
 */
abstract class ChangeCommand extends ServiceCommand {
    /** Returns the names of the resources as the caller stated them. */
    abstract List<String> resources();

    /** Changes a resource and returns it. */
    abstract JsonNode change(ServiceOptions service, String resource) throws InterruptedException;

    /** Returns a sentence about a changed resource. */
    abstract String message(JsonNode changed);

    @Override
    final CommandOutput execute(ServiceOptions service) throws InterruptedException {
        List<String> resources = List.copyOf(new LinkedHashSet<>(resources()));
        if (resources.size() == 1) {
            JsonNode changed = change(service, resources.get(0));
            return CommandOutput.of(changed, id(changed), line(message(changed)));
        }
        List<JsonNode> changed = new ArrayList<>();
        for (String resource : resources) {
            try {
                changed.add(change(service, resource));
            } catch (CommandFailure failure) {
                report(failure.about(resource));
            }
        }
        return new CommandOutput(
                JsonNodeFactory.instance.arrayNode().addAll(changed),
                changed.stream().map(ChangeCommand::id).toList(),
                (terminal, wide) ->
                        changed.stream().map(item -> line(message(item))).collect(Collectors.joining()));
    }

    private static String id(JsonNode changed) {
        return changed.path("id").asString("");
    }
}

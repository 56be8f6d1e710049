package dev.spur.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Command {@code spur candidates KIND}: prints names of resources for the completion script. */
@Command(
        name = "candidates",
        description = "Print the names that the completion script offers.",
        hidden = true,
        mixinStandardHelpOptions = true)
final class CandidatesCommand extends ServiceCommand {
    private static final int SHORT_ID = 8;

    /** Kinds of resources. */
    enum Kind {
        JOBS("jobs?" + ServiceOptions.ACTIVE_FILTER),
        EXPLAINED("jobs?state=FAILED&" + ServiceOptions.ACTIVE_FILTER),
        ENDED("jobs?state=FAILED&state=CANCELLED&state=DONE"),
        NODES("nodes"),
        POOLS("pools"),
        TENANTS("tenants"),
        TYPES("accelerator-types");

        private final String path;

        Kind(String path) {
            this.path = path;
        }

        /** Returns the value of the parameter. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "KIND", description = "${COMPLETION-CANDIDATES}")
    private Kind kind = Kind.JOBS;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        List<JsonNode> items = service.all("/api/v1/" + kind.path);
        List<String> words = words(items);
        return new CommandOutput(
                JsonNodeFactory.instance.arrayNode().addAll(items),
                words,
                (terminal, wide) ->
                        String.join("", words.stream().map(ServiceCommand::line).toList()));
    }

    /** Returns the names; short ids of jobs that have the name of another job, or a name with blanks. */
    private static List<String> words(List<JsonNode> items) {
        Set<String> seen = new HashSet<>();
        Set<String> repeated = new HashSet<>();
        items.stream()
                .map(CandidatesCommand::name)
                .filter(name -> !seen.add(name))
                .forEach(repeated::add);
        List<String> words = new ArrayList<>();
        for (JsonNode item : items) {
            String name = name(item);
            boolean isUsable = name.matches("[\\w.@+-]+") && !repeated.contains(name);
            String id = item.path("id").asString("");
            words.add(isUsable ? name : id.substring(0, Math.min(SHORT_ID, id.length())));
        }
        words.removeIf(String::isEmpty);
        return words;
    }

    private static String name(JsonNode item) {
        return item.path("name").asString(item.path("id").asString(""));
    }
}

package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.STATE;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.column;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur apply -f FILE}. */
@Command(
        name = "apply",
        description = {
            "Create and update the resources of a cluster that a file states.",
            "Members that the file omits keep their values; null sets the default. No resource is deleted."
        },
        mixinStandardHelpOptions = true)
public final class ApplyCommand extends ServiceCommand {
    private static final String SETTINGS = "settings";
    /** Sections of a file with their paths, each after those that it refers to. */
    private static final Map<String, String> SECTIONS = sections(
            "acceleratorTypes=accelerator-types",
            "pools=pools",
            "tenants=tenants",
            "groups=groups",
            "nodes=nodes",
            "reservations=reservations",
            "maintenanceWindows=maintenance-windows");
    /** Members of responses that requests do not have. */
    private static final Set<String> READ_ONLY = Set.of("pastUsage", "phase", "occurrence");

    private static final List<TableColumn> COLUMNS =
            List.of(column("RESOURCE", TEXT, "/resource"), column("RESULT", STATE, "/result"));

    /** Numbers are equal if their values are: 64 and 64.0. */
    private static final Comparator<JsonNode> BY_VALUE = (left, right) ->
            (left.isNumber() && right.isNumber() && left.asDouble() == right.asDouble()) || left.equals(right) ? 0 : 1;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON file; - reads standard input. Repeatable.")
    private List<String> files = List.of();

    @Option(
            names = "--dry-run",
            description = "Check the file at the service, print what would change or fail, and change nothing.")
    private boolean dryRun;

    /** Names of the resources that a dry run would create. */
    private final Set<String> missing = new HashSet<>();

    /**
     * A resource of a file.
     *
     * @param path path of the resource below /api/v1/
     * @param stated members that the file states
     */
    private record Stated(String path, ObjectNode stated) {}

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        List<Stated> resources = new ArrayList<>();
        for (String file : files) {
            var input = new InputFile(
                    file, "a cluster", "sections %s and settings".formatted(String.join(", ", SECTIONS.keySet())));
            List<ObjectNode> documents = input.documents();
            SECTIONS.forEach((section, path) ->
                    documents.forEach(document -> addAll(input, section, path, document, resources)));
            documents.forEach(document -> addSettings(input, document, resources));
        }
        List<JsonNode> results = new ArrayList<>();
        for (Stated resource : resources) {
            String result = resultOf(service, resource);
            results.add(JsonNodeFactory.instance
                    .objectNode()
                    .put("resource", resource.path())
                    .put("result", result + (dryRun ? " (dry run)" : "")));
        }
        return CommandOutput.list(results, "resource", "The file states no resources.", COLUMNS);
    }

    /** Applies a resource, also after the failure of another one, which is reported with its path. */
    private String resultOf(ServiceOptions service, Stated resource) throws InterruptedException {
        try {
            return apply(service, resource);
        } catch (CommandFailure failure) {
            if (failure.isRepeatable()) {
                throw failure;
            }
            report(failure.about(resource.path()));
            return "failed";
        }
    }

    private String apply(ServiceOptions service, Stated resource) throws InterruptedException {
        String path = "/api/v1/" + resource.path();
        Optional<ServiceOptions.Tagged> found = service.find(path);
        ObjectNode body = found.map(existing -> (ObjectNode) existing.value().deepCopy())
                .orElseGet(JsonNodeFactory.instance::objectNode);
        body.remove(READ_ONLY);
        JsonNode before = body.deepCopy();
        merge(body, resource.stated());
        if (found.isPresent() && before.equals(BY_VALUE, body)) {
            return "unchanged";
        }
        String etag = found.map(ServiceOptions.Tagged::etag).orElse("");
        if (dryRun) {
            service.check(path + "?dryRun=true", body, etag, this::isToBeCreated);
            if (found.isEmpty()) {
                missing.add(resource.stated()
                        .path("id")
                        .asString(resource.stated().path("name").asString("")));
            }
        } else {
            service.put(path, body, etag);
        }
        return found.isPresent() ? "updated" : "created";
    }

    /** Returns whether an error only states that a resource does not exist which the file creates. */
    private boolean isToBeCreated(JsonNode error) {
        String message = error.path("message").asString("");
        return message.startsWith("there is no ") && missing.stream().anyMatch(name -> message.endsWith(" " + name));
    }

    /** Applies a merge patch (RFC 7396). A null stays as it is: in a request it sets the default. */
    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(member -> {
            if (member.getValue() instanceof ObjectNode inner
                    && target.path(member.getKey()) instanceof ObjectNode old) {
                merge(old, inner);
            } else {
                target.set(member.getKey(), member.getValue());
            }
        });
    }

    private static void addAll(
            InputFile input, String section, String path, ObjectNode document, List<Stated> resources) {
        for (JsonNode item : document.path(section)) {
            String member = section.equals("nodes") ? "id" : "name";
            if (!(item instanceof ObjectNode stated) || !item.path(member).isString()) {
                throw input.invalid("an item of %s has no %s".formatted(section, member));
            }
            String name = URLEncoder.encode(item.path(member).asString(), StandardCharsets.UTF_8);
            resources.add(new Stated(path + "/" + name, stated));
        }
    }

    private static void addSettings(InputFile input, ObjectNode document, List<Stated> resources) {
        document.propertyNames().stream()
                .filter(name -> !name.equals(SETTINGS) && !SECTIONS.containsKey(name))
                .findFirst()
                .ifPresent(unknown -> {
                    throw input.invalid("the section %s does not exist".formatted(unknown));
                });
        if (document.path(SETTINGS) instanceof ObjectNode stated) {
            resources.add(new Stated(SETTINGS, stated));
        }
    }

    private static Map<String, String> sections(String... pairs) {
        return List.of(pairs).stream()
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (one, other) -> one, LinkedHashMap::new));
    }
}

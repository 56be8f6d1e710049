package dev.spur.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Roles of a job, as options and as text. */
final class RoleOptions {
    @Option(
            names = "--role",
            paramLabel = "NAME:cpus=N,memory=GIB[,count=N][,on-failure=ACTION]",
            description =
                    "Processes without GPUs on the nodes of the job, such as evaluator:cpus=2,memory=4; repeatable."
                            + " count (1) is their number; on-failure is fail-job (default), restart or ignore.")
    private List<String> roles = List.of();

    @Option(
            names = "--role-command",
            paramLabel = "NAME=COMMAND",
            description =
                    "Command of a role, split at spaces (default: the command of the job, with SPUR_ROLE); repeatable.")
    private Map<String, String> commands = Map.of();

    /** Adds the roles to a submission. */
    void addTo(ObjectNode job) {
        if (!roles.isEmpty()) {
            job.withObject("/spec").putArray("roles");
        }
        for (String text : roles) {
            int colon = text.indexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            ObjectNode role =
                    job.withObject("/spec").withArray("roles").addObject().put("name", name);
            values(text, colon < 0 ? "" : text.substring(colon + 1)).forEach((key, value) -> {
                switch (key) {
                    case "cpus" -> role.put("cpus", number(text, value));
                    case "memory" -> role.put("memoryGiB", number(text, value));
                    case "count" -> role.put("count", count(text, value));
                    case "on-failure" ->
                        command(job, name)
                                .put("onFailure", value.toUpperCase(Locale.ROOT).replace('-', '_'));
                    default -> throw invalid(text, "it has no '%s'".formatted(key));
                }
            });
        }
        commands.forEach((name, line) -> {
            List<String> words = List.of(line.strip().split("\\s+"));
            ArrayNode arguments =
                    command(job, name).put("program", words.get(0)).putArray("args");
            words.subList(1, words.size()).forEach(arguments::add);
        });
    }

    private static ObjectNode command(ObjectNode job, String role) {
        return job.withObject("/command").withObject("roles").withObject(role);
    }

    private static Map<String, String> values(String text, String list) {
        Map<String, String> values = new TreeMap<>();
        for (String part : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            String[] pair = part.split("=", 2);
            if (pair.length < 2) {
                throw invalid(text, "'%s' has no value".formatted(part));
            }
            values.put(pair[0], pair[1]);
        }
        return values;
    }

    private static BigDecimal number(String text, String value) {
        try {
            return new BigDecimal(value);
        } catch (NumberFormatException e) {
            throw invalid(text, "'%s' is not a number".formatted(value));
        }
    }

    private static int count(String text, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw invalid(text, "the count '%s' is not a whole number".formatted(value));
        }
    }

    private static CommandFailure invalid(String text, String cause) {
        return CommandFailure.ofInput(
                "--role %s is invalid: %s. An example is --role evaluator:cpus=2,memory=4,count=1,on-failure=restart."
                        .formatted(text, cause));
    }

    /** Returns the resources of a role as text. */
    static String text(JsonNode role) {
        return "%s × %s with %s CPUs and %s GiB each"
                .formatted(
                        role.path("count").asString(),
                        role.path("name").asString(),
                        ServiceCommand.number(role.path("cpus")),
                        ServiceCommand.number(role.path("memoryGiB")));
    }

    /** Returns the command of a role as text; the parts that it leaves out are those of the job. */
    static String commandText(JsonNode command) {
        List<String> words = new ArrayList<>();
        words.add(command.path("program").asString(command.has("args") ? "the program of the job" : "that of the job"));
        command.path("args").forEach(word -> words.add(word.asString("")));
        command.path("env")
                .properties()
                .forEach(variable -> words.add(
                        "%s=%s".formatted(variable.getKey(), variable.getValue().asString(""))));
        String onFailure = command.path("onFailure")
                .asString("FAIL_JOB")
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
        return "%s; on failure %s".formatted(String.join(" ", words), onFailure);
    }
}

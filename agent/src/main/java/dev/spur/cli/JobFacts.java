package dev.spur.cli;

import static dev.spur.cli.ServiceCommand.line;
import static dev.spur.cli.ServiceCommand.number;
import static dev.spur.cli.ServiceCommand.percent;
import static dev.spur.cli.ServiceCommand.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Facts of one job in words, one per line. Lines of missing values are omitted. */
final class JobFacts {
    private static final int WIDTH = 15;
    /** Members of the specification that lines of their own state. */
    private static final Set<String> STATED = Set.of(
            "work.amount",
            "work.unit",
            "work.estimated",
            "elasticity.minSlots",
            "elasticity.maxSlots",
            "elasticity.deviceShare",
            "elasticity.maxNodes",
            "elasticity.acceleratorTypes",
            "elasticity.pools",
            "elasticity.nodes",
            "elasticity.topology",
            "batch.min",
            "batch.max",
            "batch.initial",
            "batch.maxPerDevice",
            "synchronization.allReduce",
            "timeLimit",
            "family",
            "group",
            "priority",
            "weight",
            "preemptible",
            "roles");

    private final JsonNode job;
    private final Terminal terminal;
    private final boolean absolute;
    private final StringBuilder lines = new StringBuilder();

    /**
     * Creates the facts of a job.
     *
     * @param absolute whether times are absolute
     */
    JobFacts(JsonNode job, Terminal terminal, boolean absolute) {
        this.job = job;
        this.terminal = terminal;
        this.absolute = absolute;
    }

    /**
     * Returns all facts, one per line.
     *
     * @param message explanation of the state
     */
    String lines(String message) {
        lines.append(line(terminal.heading("%s (%s)".formatted(text(job.path("name")), text(job.path("id"))))));
        addState(message);
        addPlace();
        addSubmission();
        addCommand();
        addSettings();
        return lines.toString();
    }

    private void addState(String message) {
        lines.append(line(label("State", terminal.state(JobsCommand.state(job)))));
        add("Reason", message);
        for (JsonNode warning : job.path("warnings")) {
            add("Warning", warning.path("message").asString(""));
        }
        if (job.path("failure").isObject()
                && !job.at("/failure/message").asString("").equals(message)) {
            add("Last failure", "%s: %s".formatted(time(job.at("/failure/at")), text(job.at("/failure/message"))));
        }
        add("Done", percent(job.path("progress")));
        add("Time limit", limit());
        add("Expected start", time(job.at("/eta/start/median")));
        add("Expected end", time(job.at("/eta/completion/median")));
        add("Ended", time(job.path("endedAt")));
    }

    private String limit() {
        JsonNode limit = job.at("/spec/timeLimit");
        if (!limit.isObject()) {
            return "";
        }
        return SlurmTime.text(limit.path("seconds").asDouble())
                + (limit.path("per").asString("").equals("START") ? " for each start" : "")
                + (limit.path("onLimit").asString("").equals("REQUEUE") ? ", then it waits again" : "")
                + (job.path("limitAt").isString() ? ", reached " + time(job.path("limitAt")) : "");
    }

    private void addPlace() {
        JsonNode configuration = job.at("/allocation/configuration");
        if (configuration.isObject()) {
            add(
                    "Runs on",
                    "%s%s %s in pool %s, started %s, batch size %s"
                            .formatted(
                                    job.has("deviceShare") ? text(job.path("deviceShare")) + " of " : "",
                                    text(configuration.path("slots")),
                                    text(configuration.path("acceleratorType")),
                                    text(configuration.path("pool")),
                                    time(job.at("/allocation/since")),
                                    text(configuration.path("batchSize"))));
        }
        for (JsonNode piece : job.at("/allocation/placement")) {
            add("Node", "%s: %s".formatted(text(piece.path("node")), list(piece.path("devices"), "")));
        }
        if (job.path("grant").isObject()) {
            add("Node", text(job.at("/grant/node")));
        }
        add("Generation", job.path("generation").asInt(0) == 0 ? "" : text(job.path("generation")));
    }

    private void addSubmission() {
        add(
                "Submitted",
                "%s by %s for tenant %s"
                        .formatted(time(job.path("submittedAt")), text(job.path("owner")), text(job.path("tenant"))));
        add("Deadline", time(job.path("deadline")));
        add("Not before", time(job.path("notBefore")));
        add("External id", job.path("externalId").asString(""));
        add("Labels", pairs(job.path("labels")));
        for (JsonNode dependency : job.path("dependsOn")) {
            String other =
                    dependency.has("array") ? "array " + text(dependency.path("array")) : text(dependency.path("job"));
            add("Starts after", "%s %s".formatted(other, condition(dependency.path("when"))));
        }
    }

    /** Returns the condition of a dependency, as the end of a clause with the job. */
    static String condition(JsonNode when) {
        return switch (text(when)) {
            case "ENDED" -> "has ended";
            case "STARTED" -> "has started";
            default -> "has succeeded";
        };
    }

    private void addCommand() {
        JsonNode command = job.path("command");
        if (!command.isObject()) {
            add("Command", "none: another system executes the plan");
            return;
        }
        String arguments = command.path("args")
                .valueStream()
                .map(word -> " " + quote(word.asString("")))
                .collect(Collectors.joining());
        add("Command", quote(text(command.path("program"))) + arguments);
        add("Directory", command.path("workdir").asString(""));
        add("Checkpoints", command.path("checkpointDir").asString(""));
        add("Environment", pairs(command.path("env")));
        for (Map.Entry<String, JsonNode> role : command.path("roles").properties()) {
            add("Role command", "%s: %s".formatted(role.getKey(), RoleOptions.commandText(role.getValue())));
        }
        add(
                "Processes",
                "one per %s, at most %s restarts after failures, %s s for a checkpoint before a stop"
                        .formatted(
                                text(command.path("launch")).equals("PER_NODE") ? "node" : "device",
                                text(command.path("maxRestarts")),
                                number(command.path("graceSeconds"))));
    }

    private void addSettings() {
        JsonNode spec = job.path("spec");
        JsonNode elasticity = spec.path("elasticity");
        if (elasticity.isObject()) {
            JsonNode nodes = elasticity.path("maxNodes");
            add("Slots", slots(elasticity) + (nodes.isNumber() ? " on at most %s nodes".formatted(text(nodes)) : ""));
            add("Types", list(elasticity.path("acceleratorTypes"), "all"));
            add("Pools", list(elasticity.path("pools"), "all"));
            add("Nodes", NodeConditions.text(elasticity.path("nodes")));
            add("Preferred nodes", NodeConditions.preference(elasticity.path("preferredNodes")));
            add("Topology", TopologyOptions.text(elasticity.path("topology")));
        }
        for (JsonNode role : spec.path("roles")) {
            add("Role", RoleOptions.text(role));
        }
        JsonNode batch = spec.path("batch");
        if (batch.isObject()) {
            add(
                    "Batch size",
                    "%s samples, initially %s, at most %s per device"
                            .formatted(
                                    range(batch.path("min"), batch.path("max")),
                                    text(batch.path("initial")),
                                    text(batch.path("maxPerDevice"))));
        }
        if (spec.path("work").isObject()) {
            add(
                    "Work",
                    "%s %s%s"
                            .formatted(
                                    number(spec.at("/work/amount")),
                                    text(spec.at("/work/unit")).toLowerCase(Locale.ROOT),
                                    spec.at("/work/estimated").asBoolean() ? " (estimated)" : ""));
        }
        add("Family", spec.path("family").asString(""));
        add("Group", spec.path("group").asString(""));
        add("Priority", "%s, weight %s".formatted(number(spec.path("priority")), number(spec.path("weight"))));
        if (spec.path("preemptible").isBoolean()) {
            add("Preemptible", spec.path("preemptible").asBoolean() ? "yes" : "no");
        }
        add("AllReduce", spec.at("/synchronization/allReduce").asBoolean(true) ? "" : "no");
        List<String> others = new ArrayList<>();
        addOthers("", spec, others);
        add("Other settings", String.join(" ", others));
    }

    /** Adds {@code name=value} for each member that no other line states, unless it is null, false, 0 or empty. */
    private static void addOthers(String name, JsonNode value, List<String> others) {
        if (STATED.contains(name) || value.isNull() || (value.isEmpty() && value.isContainer())) {
            return;
        }
        if (value.isObject()) {
            value.properties()
                    .forEach(member -> addOthers(
                            name.isEmpty() ? member.getKey() : name + "." + member.getKey(),
                            member.getValue(),
                            others));
        } else if (value.isArray()) {
            others.add("%s=(%d)".formatted(name, value.size()));
        } else if (value.isNumber()
                ? value.asDouble() != 0
                : !value.asString("").equals("false")) {
            others.add(name + "=" + (value.isNumber() ? number(value) : value.asString("")));
        }
    }

    private void add(String name, String value) {
        if (!value.isEmpty() && !value.equals("-")) {
            lines.append(line(label(name, value.replaceAll("\\p{Cntrl}+", " "))));
        }
    }

    private static String label(String name, String value) {
        return (name + ":" + " ".repeat(WIDTH)).substring(0, WIDTH) + " " + value;
    }

    private String time(JsonNode time) {
        return absolute ? text(time) : RelativeTime.of(text(time), terminal.now());
    }

    /** Returns the slots of a job, and the share of its device that it takes. */
    static String slots(JsonNode elasticity) {
        String slots = range(elasticity.path("minSlots"), elasticity.path("maxSlots"));
        JsonNode share = elasticity.path("deviceShare");
        return share.isNumber() ? "%s (share %s)".formatted(slots, text(share)) : slots;
    }

    /** Returns a range of whole numbers; one number if both limits are equal. */
    static String range(JsonNode min, JsonNode max) {
        return min.equals(max) ? text(min) : "%s to %s".formatted(text(min), text(max));
    }

    private static String list(JsonNode values, String ifEmpty) {
        List<String> words = values.valueStream().map(JsonNode::asString).toList();
        return words.isEmpty() ? ifEmpty : String.join(", ", words);
    }

    private static String pairs(JsonNode object) {
        return object.properties().stream()
                .map(member -> member.getKey() + "=" + member.getValue().asString(""))
                .collect(Collectors.joining(" "));
    }

    /** Returns a word as a shell reads it. */
    private static String quote(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

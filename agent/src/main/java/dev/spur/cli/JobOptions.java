package dev.spur.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A job that is stated by a file, by options and a command, or by both. Options replace values of the file. */
final class JobOptions {
    private static final String END_OF_OPTIONS = "--";
    /** Variables in which torchrun finds its options. */
    static final Map<String, String> TORCHRUN = new TreeMap<>(Map.of(
            "PET_NNODES", "${NNODES}",
            "PET_NPROC_PER_NODE", "${LOCAL_WORLD_SIZE}",
            "PET_NODE_RANK", "${NODE_RANK}",
            "PET_MASTER_ADDR", "${MASTER_ADDR}",
            "PET_MASTER_PORT", "${MASTER_PORT}"));

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE | SCRIPT [ARG..] | -- COMMAND",
            description = "File with the job as YAML or JSON, or a script with #SBATCH lines and its arguments"
                    + " (- reads standard input); or the command to run.")
    private List<String> operands = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "File with the job.")
    private @Nullable String file;

    @Option(names = "--name", description = "Name of the job (default: that of the script or program).")
    private @Nullable String name;

    @Option(
            names = {"-g", "--gpus"},
            paramLabel = "N|MIN-MAX",
            converter = IntRange.SlotsConverter.class,
            description = "Number of slots (default: from 1 to the largest gang that fits).")
    private @Nullable IntRange gpus;

    @Option(
            names = "--gpu-share",
            paramLabel = "SHARE",
            description = "Share of one slot, 0.01 to 0.99, on nodes whose agent has --share-gpus.")
    private @Nullable Double gpuShare;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            split = ",",
            description = "Allowed accelerator types (default: all).")
    private List<String> types = List.of();

    @Option(names = "--pool", paramLabel = "POOL", split = ",", description = "Allowed pools (default: all).")
    private List<String> pools = List.of();

    @Option(
            names = "--only-nodes",
            paramLabel = "NODE",
            split = ",",
            description = "The only nodes that the job may use (default: all).")
    private List<String> onlyNodes = List.of();

    @Option(
            names = {"-x", "--exclude"},
            paramLabel = "NODE",
            split = ",",
            description = "Nodes that the job must not use.")
    private List<String> excludedNodes = List.of();

    @Option(
            names = "--require",
            paramLabel = "LABEL[=VALUE,..]",
            converter = NodeConditions.Converter.class,
            description = "Required label of nodes; also !LABEL, LABEL!=VALUE, LABEL>N and LABEL<N. Repeatable.")
    private List<NodeConditions> requiredLabels = List.of();

    @Option(
            names = "--prefer",
            paramLabel = "LABEL[=VALUE,..]",
            converter = NodeConditions.Converter.class,
            description = "Label of nodes on which the job starts if possible, stated as for --require. Repeatable.")
    private List<NodeConditions> preferredLabels = List.of();

    @ArgGroup
    private @Nullable TopologyOptions topology;

    @Mixin
    private RoleOptions roles = new RoleOptions();

    @Option(
            names = {"-b", "--batch"},
            paramLabel = "N|MIN-MAX",
            converter = IntRange.BatchConverter.class,
            description =
                    "Global batch size, samples: N stays fixed, and Spur chooses within a range (default: of the profile or family).")
    private @Nullable IntRange batch;

    @Option(
            names = "--device-batch",
            paramLabel = "N",
            description = "Largest batch that fits one device, samples (default: the initial batch size).")
    private @Nullable Integer deviceBatch;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Amount of work (default: estimated; the job ends when its processes end).")
    private @Nullable Double samples;

    @Option(names = "--steps", paramLabel = "N", description = "Amount of work in optimizer steps.")
    private @Nullable Double steps;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = SlurmTime.Converter.class,
            description = "Maximum run time of all starts together: " + SlurmTime.FORMS
                    + " (default: that of the tenant and pool).")
    private @Nullable SlurmTime time;

    @Option(
            names = "--skip",
            paramLabel = "NAME",
            split = ",",
            description = "Options in the #SBATCH lines of a script that the job does without.")
    private Set<String> skipped = Set.of();

    @Option(names = "--family", description = "Model family (default: the name of the job).")
    private @Nullable String family;

    @Option(names = "--tenant", description = "Tenant (default: that of the caller).")
    private @Nullable String tenant;

    @Option(names = "--owner", description = "Owner (default: the caller).")
    private @Nullable String owner;

    @Option(names = "--group", description = "Job group.")
    private @Nullable String group;

    @Option(names = "--priority", paramLabel = "N", description = "Priority class from -10 to 10 (default: 0).")
    private @Nullable Integer priority;

    @Option(
            names = "--preemption-policy",
            paramLabel = "POLICY",
            description = "never: the job stops no running job of lower priority (default: preempt-lower-priority).")
    private @Nullable String preemptionPolicy;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Deadline, such as 2027-01-31T18:00:00Z.")
    private @Nullable String deadline;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Label; repeatable.")
    private Map<String, String> labels = Map.of();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable; repeatable.")
    private Map<String, String> environment = Map.of();

    @Option(names = "--workdir", paramLabel = "DIR", description = "Working directory (default: the current one).")
    private @Nullable Path workdir;

    @Option(names = "--checkpoints", paramLabel = "DIR", description = "Directory of the checkpoints on every node.")
    private @Nullable String checkpoints;

    @Option(names = "--wait-for-hardware", description = "Accept the job even if no registered node can run it.")
    private boolean waitForHardware;

    private boolean isScript;
    private List<String> warnings = List.of();
    private @Nullable String array;

    /** Returns the indices of the array that a script asks for; null for a single job. */
    @Nullable
    String array() {
        return array;
    }

    /** Returns whether a script states the job. */
    boolean isScript() {
        return isScript;
    }

    /** Returns what the job does without that a script asks for. */
    List<String> warnings() {
        return warnings;
    }

    /** Returns whether the caller stated a job. */
    boolean isPresent() {
        return file != null || !operands.isEmpty();
    }

    /** Returns the words for a field in an error, such as {@code --batch} for {@code /spec/batch/initial}. */
    String field(String pointer) {
        return JobFields.name(pointer, file != null || operands.size() > commandWords());
    }

    /** Returns the body of a submission. */
    ObjectNode body() {
        int commandWords = commandWords();
        List<String> files = operands.subList(0, operands.size() - commandWords);
        List<String> run = operands.subList(files.size(), operands.size());
        String source = file != null ? file : files.isEmpty() ? null : files.get(0);
        if (source == null && run.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "No job; state a file, or a command after --, such as -- torchrun train.py.");
        }
        if (source != null) {
            if (!Files.exists(Path.of(source))) {
                requireOneFile(files);
            }
            InputFile input =
                    new InputFile(source, "a job", "YAML or JSON with name and spec, as in examples/job.yaml");
            byte[] bytes = input.bytes();
            if (SbatchScript.isScript(bytes)) {
                return complete(script(source, bytes), List.of());
            }
            requireOneFile(files);
            if (SbatchScript.lacksInterpreter(source, bytes)) {
                throw CommandFailure.ofInput(
                        "The script %s has no #! line. Begin it with one, such as #!/bin/bash, or state a command after --."
                                .formatted(source));
            }
            return complete(input.document(bytes), run);
        }
        return complete(JsonNodeFactory.instance.objectNode(), run);
    }

    private void requireOneFile(List<String> files) {
        if (files.size() + (file == null ? 0 : 1) > 1) {
            throw new ParameterException(
                    command.commandLine(),
                    "Several files (%s); expected one. A command follows --.".formatted(String.join(", ", files)));
        }
    }

    /** Returns the job of a script; the operands after the script are its arguments. */
    private ObjectNode script(String path, byte[] bytes) {
        SbatchJob job = new SbatchJob(
                new SbatchScript(path, new String(bytes, StandardCharsets.UTF_8)), skipped, System.getenv());
        ObjectNode body =
                job.body(operands.subList(file == null ? 1 : 0, operands.size()), gpus != null || gpuShare != null);
        isScript = true;
        warnings = job.warnings();
        array = job.array();
        return body;
    }

    private ObjectNode complete(ObjectNode job, List<String> run) {
        putCommand(job, run);
        putJob(job, run);
        putSpec(job.withObject("/spec"));
        roles.addTo(job);
        return job;
    }

    /** Number of words after {@code --}. */
    private int commandWords() {
        List<String> all = command.commandLine().getParseResult().originalArgs();
        int end = all.indexOf(END_OF_OPTIONS);
        return end < 0 ? 0 : all.size() - end - 1;
    }

    private void putCommand(ObjectNode job, List<String> run) {
        if (run.isEmpty() && environment.isEmpty() && workdir == null && checkpoints == null) {
            return;
        }
        ObjectNode start = job.withObject("/command");
        if (!run.isEmpty()) {
            start.put("program", run.get(0));
            var arguments = start.putArray("args");
            run.subList(1, run.size()).forEach(arguments::add);
            if (run.get(0).equals("torchrun") || run.get(0).endsWith("/torchrun")) {
                start.put("launch", "PER_NODE");
                TORCHRUN.forEach(start.withObject("/env")::put);
            }
        }
        environment.forEach((variable, value) -> start.withObject("/env").put(variable, value));
        if (workdir != null || !run.isEmpty()) {
            Path directory = workdir == null ? Path.of("") : workdir;
            start.put("workdir", directory.toAbsolutePath().normalize().toString());
        }
        put(start, "checkpointDir", checkpoints);
    }

    private void putJob(ObjectNode job, List<String> run) {
        if (name != null || (!job.hasNonNull("name") && !run.isEmpty())) {
            job.put("name", name != null ? name : nameOf(run));
        }
        put(job, "tenant", tenant);
        put(job, "owner", owner);
        put(job, "deadline", deadline);
        labels.forEach((label, value) -> job.withObject("/labels").put(label, value));
        if (waitForHardware) {
            job.put("waitForHardware", true);
        }
    }

    private void putSpec(ObjectNode spec) {
        if (samples != null || steps != null) {
            spec.putObject("work")
                    .put("unit", samples != null ? "SAMPLES" : "STEPS")
                    .put("amount", samples != null ? samples : steps);
        }
        if (gpus != null) {
            spec.withObject("/elasticity").put("minSlots", gpus.min()).put("maxSlots", gpus.max());
        }
        Optional.ofNullable(gpuShare)
                .ifPresent(share -> spec.withObject("/elasticity").put("deviceShare", share));
        if (time != null) {
            time.putInto(spec);
        }
        putAll(spec, "acceleratorTypes", types);
        putAll(spec, "pools", pools);
        if (!onlyNodes.isEmpty()) {
            NodeConditions.onNames(onlyNodes, false).addTo(spec);
        }
        if (!excludedNodes.isEmpty()) {
            NodeConditions.onNames(excludedNodes, true).addTo(spec);
        }
        requiredLabels.forEach(condition -> condition.addTo(spec));
        if (!preferredLabels.isEmpty()) {
            ArrayNode requirements =
                    spec.withObject("/elasticity/preferredNodes").putArray("requirements");
            preferredLabels.forEach(condition -> condition.addTo(requirements));
        }
        if (topology != null) {
            topology.addTo(spec);
        }
        if (batch != null) {
            spec.withObject("/batch")
                    .put("initial", batch.min())
                    .put("min", batch.min())
                    .put("max", batch.max());
        }
        if (deviceBatch != null) {
            spec.withObject("/batch").put("maxPerDevice", deviceBatch);
        }
        put(spec, "family", family);
        put(spec, "group", group);
        if (priority != null) {
            spec.put("priority", priority);
        }
        if (preemptionPolicy != null) {
            spec.put(
                    "preemptionPolicy",
                    preemptionPolicy.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    private static void putAll(ObjectNode spec, String member, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(spec.withObject("/elasticity").putArray(member)::add);
        }
    }

    private static void put(ObjectNode object, String member, @Nullable String value) {
        if (value != null) {
            object.put(member, value);
        }
    }

    /** The name of the script or module that a command runs, without directory and extension; otherwise the program. */
    static String nameOf(List<String> run) {
        String subject = run.get(0);
        for (int i = 1; i < run.size(); i++) {
            if (run.get(i - 1).equals("-m")) {
                return run.get(i);
            }
            if (run.get(i).endsWith(".py") || run.get(i).endsWith(".sh")) {
                subject = run.get(i);
                break;
            }
        }
        Path file = Path.of(subject).getFileName();
        String last = file == null ? subject : file.toString();
        return last.replaceFirst("(?<=.)\\.(py|sh)$", "");
    }
}

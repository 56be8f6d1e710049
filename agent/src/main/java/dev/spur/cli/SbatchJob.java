package dev.spur.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converter of a script with options of {@code sbatch} into a job. */
final class SbatchJob {
    /** Maximum length of an argument of a command in the contract of the service. */
    private static final int MAX_ARGUMENT = 8192;
    /** Notice of {@code --signal} without a time, seconds. */
    private static final String DEFAULT_NOTICE = "60";

    private static final Pattern SIGNAL = Pattern.compile("(?:[RB]*:)?(?:SIG)?([A-Za-z0-9]+)(?:@([0-9]{1,5}))?");
    private static final Pattern SHELL = Pattern.compile("(.*/)?(env )?(ba|da|z|k)?sh( -[a-z]+)?");
    /** Variables of Slurm that scripts read, in terms of those that an agent sets. */
    private static final Map<String, String> VARIABLES = new TreeMap<>(Map.of(
            "SLURM_JOB_ID", "${SPUR_JOB}",
            "SLURM_JOB_NUM_NODES", "${NNODES}",
            "SLURM_NNODES", "${NNODES}",
            "SLURM_NODEID", "${NODE_RANK}",
            "SLURM_GPUS_ON_NODE", "${LOCAL_WORLD_SIZE}"));

    /** Conditions of dependencies by the names of Slurm. */
    private static final Map<String, String> CONDITIONS =
            Map.of("afterok", "SUCCEEDED", "afterany", "ENDED", "after", "STARTED");

    private final SbatchScript script;
    private final Map<String, String> environment;
    private final Map<String, String> values = new HashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> errors = new LinkedHashSet<>();

    /**
     * Reads the options of a script. Of equal options the last one counts.
     *
     * @param skipped long names of options that the job does without
     * @param environment variables of the caller, which {@code --export} may name
     */
    SbatchJob(SbatchScript script, Set<String> skipped, Map<String, String> environment) {
        this.script = script;
        this.environment = environment;
        for (SbatchScript.Stated option : script.options(errors)) {
            SbatchOption form = option.form();
            if (skipped.contains(form.name())) {
                continue;
            }
            String reason = "line %d: %s: %s".formatted(option.line(), option.text(), form.advice());
            switch (form.effect()) {
                case HONOR -> values.put(form.name(), option.value() == null ? "" : option.value());
                case WARN -> warnings.add(reason);
                case REFUSE -> errors.add(reason);
            }
        }
    }

    /** Returns what the job does without, one line for each option. */
    List<String> warnings() {
        return warnings;
    }

    /**
     * Returns the body of a submission.
     *
     * @param arguments arguments of the script
     * @param hasSlots whether the caller states the number of slots, which then replaces that of the script
     * @throws CommandFailure if the job would not run as the script asks; it names every option
     */
    ObjectNode body(List<String> arguments, boolean hasSlots) {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        String name = values.getOrDefault("job-name", JobOptions.nameOf(List.of(script.path())));
        job.put("name", name);
        putIf("account", value -> job.put("tenant", value));
        ObjectNode spec = job.putObject("spec");
        Integer slots = putSlots(spec, hasSlots);
        if (slots != null) {
            putHost(spec, slots);
        }
        putPlaces(spec);
        putIf("begin", value -> BeginTime.read(value).putInto(job));
        putIf("dependency", value -> putDependencies(job, value));
        putIf("time", value -> SlurmTime.read(value).putInto(spec));
        putCommand(job, name, arguments);
        if (values.containsKey("no-requeue")) {
            spec.put("preemptible", false);
            job.withObject("/command").put("maxRestarts", 0);
        }
        if (!errors.isEmpty()) {
            throw CommandFailure.ofInput(
                    "%s has options that Spur cannot honor. Change them, or leave them out with --skip NAME,..:%n  %s"
                            .formatted(script.path(), String.join("%n  ".formatted(), errors)));
        }
        return job;
    }

    /** Returns the indices of an array with its limit, such as {@code 0-9%2}; null for a single job. */
    @Nullable
    String array() {
        return values.get("array");
    }

    /** Sets the jobs that the job starts after, by id or name in Spur. */
    private void putDependencies(ObjectNode job, String value) {
        for (String condition : value.split(",", -1)) {
            String[] words = condition.split(":", -1);
            String when = CONDITIONS.get(words[0]);
            boolean isKnown = when != null && words.length > 1 && !value.contains("?") && !value.contains("+");
            if (!isKnown) {
                errors.add("--dependency=%s: state afterok, afterany or after with jobs of Spur, such as afterok:JOB"
                        .formatted(value));
                return;
            }
            for (String other : List.of(words).subList(1, words.length)) {
                job.withArray("/dependsOn").addObject().put("job", other).put("when", when);
            }
        }
    }

    /** Action for the value of an option. */
    private interface Setter {
        void set(String value);
    }

    private void putIf(String option, Setter setter) {
        String value = values.get(option);
        if (value != null) {
            try {
                setter.set(value);
            } catch (TypeConversionException malformed) {
                errors.add("--%s: %s".formatted(option, malformed.getMessage()));
            }
        }
    }

    /** Sets the slots and their type. Returns the slots; null if they are unknown. */
    private @Nullable Integer putSlots(ObjectNode spec, boolean hasSlots) {
        GpuRequest whole = gpus("gpus");
        GpuRequest perNode = gpus("gpus-per-node") == null ? gres() : gpus("gpus-per-node");
        GpuRequest perTask = gpus("gpus-per-task");
        Integer perTasks = number("ntasks-per-gpu");
        GpuRequest stated = whole != null ? whole : perNode != null ? perNode : perTask;
        boolean areTasksStated = values.containsKey("ntasks");
        Integer total = whole != null
                ? (Integer) whole.count()
                : perTask != null && (perNode == null || areTasksStated) ? (Integer) (perTask.count() * tasks()) : null;
        Integer nodes = nodes(total, perNode);
        Integer slots = total != null
                ? total
                : perNode != null
                        ? (Integer) (perNode.count() * (nodes == null ? 1 : nodes))
                        : perTasks != null ? (Integer) Math.max(1, tasks() / perTasks) : null;
        if (stated != null && stated.type() != null) {
            spec.withObject("/elasticity").putArray("acceleratorTypes").add(stated.type());
        }
        if (nodes != null || perNode != null) {
            spec.withObject("/elasticity").put("maxNodes", nodes == null ? 1 : nodes);
        }
        if (values.containsKey("use-min-nodes")) {
            spec.withObject("/elasticity").put("consolidate", true);
        }
        if (slots == null && !hasSlots && errors.isEmpty()) {
            errors.add(
                    "it requests no GPU: add --gpus, --gpus-per-node or --gres; for other slots state --gpus N --type cpu");
        }
        if (slots != null) {
            spec.withObject("/elasticity").put("minSlots", slots).put("maxSlots", slots);
        }
        return slots;
    }

    /**
     * Returns the stated nodes, or those that the GPUs or the tasks need by their numbers per node; null if unknown.
     */
    private @Nullable Integer nodes(@Nullable Integer gpus, @Nullable GpuRequest perNode) {
        Integer stated = nodes();
        Integer tasksPerNode = number("ntasks-per-node");
        if (stated != null) {
            return stated;
        } else if (gpus != null && perNode != null) {
            return quotientUp(gpus, perNode.count());
        } else if (tasksPerNode != null && values.containsKey("ntasks")) {
            return quotientUp(tasks(), tasksPerNode);
        }
        return null;
    }

    private static int quotientUp(int number, int divisor) {
        return (number + divisor - 1) / divisor;
    }

    /** Number of GPUs with their type, such as {@code a100:4}. */
    private record GpuRequest(@Nullable String type, int count) {
        private static final Pattern FORM =
                Pattern.compile("(?:([A-Za-z_][^:=,]*)[:=])?([0-9]{1,6})|([A-Za-z_][^:=,]*)");

        static @Nullable GpuRequest of(String text) {
            Matcher match = FORM.matcher(text);
            if (!match.matches()) {
                return null;
            }
            return match.group(3) == null
                    ? new GpuRequest(match.group(1), Integer.parseInt(match.group(2)))
                    : new GpuRequest(match.group(3), 1);
        }
    }

    private @Nullable GpuRequest gpus(String option) {
        String value = values.get(option);
        GpuRequest request = value == null ? null : GpuRequest.of(value);
        if (value != null && (request == null || request.count() < 1)) {
            errors.add(
                    "--%s=%s: state one type, or none, and a number above 0, such as a100:4".formatted(option, value));
            return null;
        }
        return request;
    }

    private @Nullable GpuRequest gres() {
        String value = values.get("gres");
        if (value == null) {
            return null;
        }
        String text = value.startsWith("gres:") ? value.substring("gres:".length()) : value;
        GpuRequest request = text.equals("gpu")
                ? new GpuRequest(null, 1)
                : text.startsWith("gpu:") ? GpuRequest.of(text.substring("gpu:".length())) : null;
        if (request == null) {
            errors.add("--gres=%s: %s"
                    .formatted(
                            value,
                            text.startsWith("shard")
                                    ? "a shard is a part of a GPU that Slurm defines; state --gpu-share, such as --gpu-share 0.5, and --skip gres"
                                    : "Spur plans GPUs of one type only, such as gpu:a100:4"));
        }
        return request;
    }

    /** Returns the maximum number of nodes; null without one. */
    private @Nullable Integer nodes() {
        String value = values.get("nodes");
        if (value == null) {
            return null;
        }
        Matcher range = Pattern.compile("(?:[0-9]{1,5}-)?([0-9]{1,5})").matcher(value);
        if (!range.matches() || Integer.parseInt(range.group(1)) < 1) {
            errors.add("--nodes=%s: state a number or a range, such as 2 or 1-4".formatted(value));
            return null;
        }
        return Integer.valueOf(range.group(1));
    }

    private @Nullable Integer number(String option) {
        String value = values.get(option);
        if (value != null && !value.matches("[1-9][0-9]{0,6}")) {
            errors.add("--%s=%s: state a whole number above 0".formatted(option, value));
            return null;
        }
        return value == null ? null : Integer.valueOf(value);
    }

    private int tasks() {
        Integer all = number("ntasks");
        Integer perNode = number("ntasks-per-node");
        Integer nodes = nodes();
        return all != null ? all : (perNode == null ? 1 : perNode) * (nodes == null ? 1 : nodes);
    }

    /** Sets CPUs and memory by slot. */
    private void putHost(ObjectNode spec, int slots) {
        Integer perSlot = number("cpus-per-gpu");
        Integer perTask = number("cpus-per-task");
        double cpus = perSlot != null ? perSlot * (double) slots : perTask != null ? perTask * (double) tasks() : 0;
        Double perNode = gibibytes("mem");
        Double perCpu = gibibytes("mem-per-cpu");
        Double perGpu = gibibytes("mem-per-gpu");
        Integer nodes = nodes();
        double memory = perGpu != null
                ? perGpu * slots
                : perNode != null
                        ? perNode * (nodes == null ? 1 : nodes)
                        : perCpu != null ? perCpu * Math.max(cpus, tasks()) : 0;
        if (cpus > 0) {
            spec.withObject("/host").put("cpusPerSlot", cpus / slots);
        }
        if (memory > 0) {
            spec.withObject("/host").put("memoryGiBPerSlot", memory / slots);
        }
    }

    /** Returns the size that an option states, MiB without a unit, in GiB; null without the option. */
    private @Nullable Double gibibytes(String option) {
        String value = values.get(option);
        if (value == null) {
            return null;
        }
        Matcher size = Pattern.compile("([0-9]{1,12})([KMGTkmgt]?)[Bb]?").matcher(value);
        if (!size.matches()) {
            errors.add("--%s=%s: state a size, such as 64G".formatted(option, value));
            return null;
        }
        double amount = Double.parseDouble(size.group(1));
        return switch (size.group(2)) {
            case "K", "k" -> amount / (1 << 20);
            case "G", "g" -> amount;
            case "T", "t" -> amount * (1 << 10);
            default -> amount / (1 << 10);
        };
    }

    private void putPlaces(ObjectNode spec) {
        putIf(
                "partition",
                value -> putAll(spec.withObject("/elasticity").putArray("pools"), List.of(value.split(",", -1))));
        putIf(
                "nodelist",
                value -> NodeConditions.onNames(SlurmHosts.expand(value), false).addTo(spec));
        putIf(
                "exclude",
                value -> NodeConditions.onNames(SlurmHosts.expand(value), true).addTo(spec));
    }

    /**
     * A short script of a shell is a part of the job, as for {@code sbatch}; each node reads any other from its path.
     */
    private void putCommand(ObjectNode job, String name, List<String> arguments) {
        List<String> interpreter = script.interpreter();
        ObjectNode command = job.putObject("command");
        command.put("program", interpreter.get(0));
        ArrayNode all = command.putArray("args");
        putAll(all, interpreter.subList(1, interpreter.size()));
        String path = Path.of(script.path()).toAbsolutePath().normalize().toString();
        if (SHELL.matcher(String.join(" ", interpreter)).matches()
                && script.text().length() <= MAX_ARGUMENT) {
            all.add("-c").add(script.text());
        } else {
            warnings.add("each node reads the script from %s at each start".formatted(path));
        }
        if (script.text().lines().anyMatch(line -> line.strip().startsWith("srun "))) {
            warnings.add("srun: the script starts on each node, which may have no srun; call the program itself");
        }
        all.add(path);
        putAll(all, arguments);
        command.put("launch", "PER_NODE");
        String directory = values.getOrDefault("chdir", "");
        command.put(
                "workdir",
                Path.of("").resolve(directory).toAbsolutePath().normalize().toString());
        ObjectNode variables = command.putObject("env");
        JobOptions.TORCHRUN.forEach(variables::put);
        VARIABLES.forEach(variables::put);
        variables.put("SLURM_JOB_NAME", name);
        variables.put("SLURM_SUBMIT_DIR", Path.of("").toAbsolutePath().toString());
        putIf("cpus-per-task", value -> variables.put("SLURM_CPUS_PER_TASK", value));
        putIf("export", value -> export(value, variables));
        putIf("signal", value -> putNotice(value, command));
    }

    private void export(String value, ObjectNode variables) {
        for (String entry : value.split(",", -1)) {
            String[] pair = entry.split("=", 2);
            String own = environment.get(pair[0]);
            if (pair.length == 2) {
                variables.put(pair[0], pair[1]);
            } else if (entry.equals("ALL")) {
                warnings.add(
                        "--export=ALL: Spur passes no variables of this shell; name them in --export, or use --env");
            } else if (!entry.equals("NONE") && !entry.equals("NIL") && own != null) {
                variables.put(entry, own);
            }
        }
    }

    private void putNotice(String value, ObjectNode command) {
        Matcher match = SIGNAL.matcher(value);
        if (!match.matches()) {
            errors.add("--signal=%s: state a signal and seconds, such as TERM@120".formatted(value));
            return;
        }
        command.put("graceSeconds", Integer.parseInt(match.group(2) == null ? DEFAULT_NOTICE : match.group(2)));
        if (!match.group(1).equals("TERM") && !match.group(1).equals("15")) {
            warnings.add("--signal=%s: the signal is SIGTERM; let the script handle it".formatted(value));
        }
    }

    private static void putAll(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }
}

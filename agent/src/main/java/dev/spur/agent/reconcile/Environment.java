package dev.spur.agent.reconcile;

import dev.spur.agent.inventory.SharedGpus;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.Assignment.HostShare;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts an assignment into processes and their environment. The variable names without the prefix SPUR are those of
 * torchrun, so that its training programs run unchanged.
 */
public final class Environment {
    /** Version of the variables, for training code that supports only some. */
    private static final String VERSION = "1";

    /** Distance between the process numbers of ranks that join by different changes; above all ranks of a job. */
    private static final int NUMBERS_PER_CHANGE = 10_000;

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private final Assignment assignment;
    private final Node node;

    private Environment(Assignment assignment, Node node) {
        this.assignment = assignment;
        this.node = node;
    }

    /**
     * Node settings for every process.
     *
     * @param visible converts a device id into its name in {@code CUDA_VISIBLE_DEVICES}
     * @param checkpoints checkpoints of jobs
     * @param service URL of the service
     * @param gpus limits of jobs with a share of a GPU
     */
    public record Node(UnaryOperator<String> visible, CheckpointStore checkpoints, URI service, SharedGpus gpus) {}

    /**
     * Returns the run of an assignment with devices.
     *
     * @param longestGraceSeconds upper limit of the grace period
     */
    public static RunSpec of(Assignment assignment, Node node, double longestGraceSeconds) {
        Environment environment = new Environment(assignment, node);
        HostShare host = Objects.requireNonNullElse(assignment.host(), new HostShare(0, 0));
        return new RunSpec(
                assignment.assignmentId(),
                assignment.jobId(),
                assignment.generation(),
                assignment.devices(),
                assignment.deviceShare(),
                environment.processes(),
                (int) Math.min(assignment.graceSeconds(), longestGraceSeconds),
                assignment.rankOffset() == 0 && assignment.nodeRank() == 0,
                host.cpus(),
                host.memoryGiB(),
                assignment.pendingChange().map(Assignment.Rescale::number).orElse(null),
                null,
                null);
    }

    /**
     * Returns the run of replica {@code index} of a role on {@code node}, without devices.
     *
     * @param id id of the run
     */
    public static RunSpec replica(
            String id,
            Assignment assignment,
            Node node,
            Assignment.Replicas role,
            int index,
            double longestGraceSeconds) {
        Map<String, String> set = new TreeMap<>();
        Environment environment = new Environment(assignment, node);
        environment.addGang(set);
        environment.addTheirOwn(set);
        set.put("CUDA_VISIBLE_DEVICES", "");
        set.put("SPUR_DEVICES", "");
        set.put("SPUR_ROLE", role.name());
        set.put("SPUR_ROLE_INDEX", Integer.toString(index));
        set.put("SPUR_ROLE_COUNT", Integer.toString(role.count()));
        return new RunSpec(
                id,
                assignment.jobId() + "." + role.name(),
                assignment.generation(),
                List.of(),
                List.of(process(index, assignment.command().of(role.name()), set)),
                (int) Math.min(assignment.graceSeconds(), longestGraceSeconds),
                false,
                role.cpus(),
                role.memoryGiB());
    }

    private List<RunSpec.ProcessSpec> processes() {
        List<String> devices = assignment.devices();
        if (assignment.pendingChange().isPresent()) {
            return joining(assignment, node, assignment.pendingChange().get());
        }
        if (assignment.command().launch() == Assignment.Launch.PER_NODE) {
            return List.of(process(0, devices));
        }
        List<RunSpec.ProcessSpec> processes = new ArrayList<>();
        for (int local = 0; local < devices.size(); local++) {
            processes.add(process(local, List.of(devices.get(local))));
        }
        return processes;
    }

    /**
     * Returns the processes of the ranks that join on this node by the change of {@code assignment}, in rank order.
     * Their numbers are unique in the generation.
     */
    public static List<RunSpec.ProcessSpec> joining(Assignment assignment, Node node, Assignment.Rescale change) {
        Environment environment = new Environment(assignment, node);
        List<RunSpec.ProcessSpec> processes = new ArrayList<>();
        for (int local = 0; local < assignment.devices().size(); local++) {
            int rank = assignment.rankOffset() + local;
            if (change.ranks().get(rank) == null) {
                Map<String, String> set = environment.variables(
                        local, List.of(assignment.devices().get(local)));
                set.put("MASTER_ADDR", change.master().address());
                set.put("MASTER_PORT", Integer.toString(change.master().port()));
                set.put("SPUR_RESCALE", Integer.toString(change.number()));
                set.put("SPUR_RESCALE_RANKS", change.ranks().toString());
                processes.add(process(change.number() * NUMBERS_PER_CHANGE + rank, assignment.command(), set));
            }
        }
        return processes;
    }

    private RunSpec.ProcessSpec process(int localRank, List<String> devices) {
        return process(assignment.rankOffset() + localRank, assignment.command(), variables(localRank, devices));
    }

    /**
     * Returns a process of {@code command} with the variables {@code set} in its environment, expanded in its
     * arguments.
     */
    public static RunSpec.ProcessSpec process(int rank, Assignment.Command command, Map<String, String> set) {
        List<String> arguments = new ArrayList<>();
        arguments.add(command.program());
        command.args().forEach(argument -> arguments.add(expand(argument, set)));
        Map<String, String> all = new TreeMap<>();
        command.env().forEach((name, value) -> all.put(name, expand(value, set)));
        all.putAll(set);
        return new RunSpec.ProcessSpec(rank, arguments, all, Objects.requireNonNullElse(command.workdir(), ""));
    }

    private Map<String, String> variables(int localRank, List<String> devices) {
        Map<String, String> set = new TreeMap<>();
        boolean perDevice = assignment.command().launch() == Assignment.Launch.PER_DEVICE;
        set.put("RANK", Integer.toString(assignment.rankOffset() + localRank));
        set.put("LOCAL_RANK", Integer.toString(localRank));
        set.put("LOCAL_WORLD_SIZE", Integer.toString(assignment.devices().size()));
        addGang(set);
        set.put("CUDA_VISIBLE_DEVICES", devices.stream().map(node.visible()).collect(Collectors.joining(",")));
        if (assignment.deviceShare() != null) {
            set.putAll(node.gpus().variables(assignment.deviceShare()));
        }
        HostShare host = assignment.host();
        if (host != null && host.cpus() > 0) {
            int processes = perDevice ? assignment.devices().size() : 1;
            set.put("SPUR_LOADER_WORKERS", Integer.toString(Math.max(1, (int) (host.cpus() / processes))));
        }
        set.put("SPUR_LAUNCH", perDevice ? "PER_DEVICE" : "PER_NODE");
        addTheirOwn(set);
        if (assignment.command().env().containsKey(AdaptDl.ASKS)) {
            AdaptDl.add(set, assignment, node.service());
        }
        return set;
    }

    private void addGang(Map<String, String> set) {
        set.put("WORLD_SIZE", Integer.toString(assignment.worldSize()));
        set.put("NODE_RANK", Integer.toString(assignment.nodeRank()));
        set.put("NNODES", Integer.toString(assignment.nodes().size()));
        set.put("MASTER_ADDR", assignment.master().address());
        set.put("MASTER_PORT", Integer.toString(assignment.master().port()));
    }

    /**
     * Returns the variables of {@code assignment} that may have changed since its processes were started: the batch and
     * the newest checkpoint.
     */
    public static Map<String, String> atStart(Assignment assignment, Node node) {
        Map<String, String> set = new TreeMap<>();
        new Environment(assignment, node).addTheirOwn(set);
        return set;
    }

    private void addTheirOwn(Map<String, String> set) {
        set.put("SPUR_ENVIRONMENT_VERSION", VERSION);
        set.put("SPUR_JOB", assignment.jobId());
        set.put("SPUR_GENERATION", Long.toString(assignment.generation()));
        set.put("SPUR_LOCAL_BATCH", Integer.toString(assignment.batch().perDevice()));
        set.put("SPUR_ACCUM_STEPS", Integer.toString(assignment.batch().accumulation() + 1));
        set.put("SPUR_GLOBAL_BATCH", Integer.toString(assignment.batch().global()));
        set.put("SPUR_DEVICES", String.join(",", assignment.devices()));
        addCheckpoints(set);
    }

    private void addCheckpoints(Map<String, String> set) {
        CheckpointFolders folders = new CheckpointFolders(checkpointDir(), node.checkpoints(), assignment.tenant());
        Long resume = assignment.checkpoint().resumeUpTo();
        set.put("SPUR_CHECKPOINT_DIR", checkpointDir());
        set.put("SPUR_CHECKPOINT_WRITE_DIR", folders.of(assignment.checkpoint().writeAs()));
        set.put("SPUR_CHECKPOINT_RESUME_DIR", resume == null ? "" : folders.newestUpTo(resume));
    }

    private String checkpointDir() {
        String stated = assignment.checkpoint().uri();
        return stated == null
                ? node.checkpoints()
                        .folder(assignment.tenant())
                        .resolve(assignment.jobId())
                        .toString()
                : stated;
    }

    /** Expands variables; unknown names stay unchanged. */
    private static String expand(String text, Map<String, String> set) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(set.getOrDefault(found.group(1), found.group())));
    }
}

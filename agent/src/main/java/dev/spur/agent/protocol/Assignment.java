package dev.spur.agent.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Part of an allocation that runs on this node.
 *
 * @param assignmentId id of the assignment, consisting of job and generation
 * @param jobId id of the job
 * @param tenant tenant of the job; null if the service does not know it
 * @param generation generation of the job's allocation
 * @param desired desired state
 * @param mayStart true when every member of the gang is ready and no blocker remains
 * @param state state known to the service
 * @param seq sequence number of the last accepted transition
 * @param devices devices of this node; empty for a node that only aggregates
 * @param deviceShare part of its device that the job takes; null for whole devices
 * @param rankOffset rank of the first device
 * @param worldSize devices on all nodes
 * @param nodeRank index of this node among the nodes
 * @param nodes nodes of the job in rank order
 * @param master rendezvous address
 * @param batch batch sizes
 * @param command command to start
 * @param checkpoint checkpoint locations
 * @param rescale last change of the ranks of this generation; null if there was none
 * @param waitFor assignments that still hold the devices, or too much of them
 * @param graceSeconds time for a checkpoint when the job is stopped
 * @param reason reason of the stop; null unless it is to stop
 * @param host share of the host; null for no limits
 * @param roles replicas of roles on this node
 * @param aggregators locations of its gradient shards; empty if it uses AllReduce
 * @param key credential of the training code for the service; null if there is none
 * @param followLog true while a caller reads the log of the job
 * @param warmUp true if its processes should start now, and wait for the start of the assignment
 */
public record Assignment(
        String assignmentId,
        String jobId,
        @Nullable String tenant,
        long generation,
        Desired desired,
        boolean mayStart,
        AssignmentPhase state,
        long seq,
        List<String> devices,
        @Nullable Double deviceShare,
        int rankOffset,
        int worldSize,
        int nodeRank,
        List<String> nodes,
        Master master,
        Batch batch,
        Command command,
        Checkpoint checkpoint,
        @Nullable Rescale rescale,
        List<Blocker> waitFor,
        double graceSeconds,
        @Nullable String reason,
        @Nullable HostShare host,
        List<Replicas> roles,
        List<AggregatorLocation> aggregators,
        @Nullable String key,
        boolean followLog,
        boolean warmUp) {

    public Assignment {
        devices = List.copyOf(devices);
        nodes = List.copyOf(nodes);
        waitFor = List.copyOf(waitFor);
        roles = roles == null ? List.of() : List.copyOf(roles);
        aggregators = aggregators == null ? List.of() : List.copyOf(aggregators);
    }

    /** Returns a copy after a transition. */
    public Assignment with(AssignmentPhase newState, Desired newDesired, long newSeq) {
        return copy(newState, newDesired, newSeq, rescale, warmUp);
    }

    /** Returns a copy with {@code other} as order to start its processes before it. */
    public Assignment withWarmUp(boolean other) {
        return copy(state, desired, seq, rescale, other);
    }

    private Assignment copy(
            AssignmentPhase newState,
            Desired newDesired,
            long newSeq,
            @Nullable Rescale newRescale,
            boolean newWarmUp) {
        return new Assignment(
                assignmentId,
                jobId,
                tenant,
                generation,
                newDesired,
                mayStart,
                newState,
                newSeq,
                devices,
                deviceShare,
                rankOffset,
                worldSize,
                nodeRank,
                nodes,
                master,
                batch,
                command,
                checkpoint,
                newRescale,
                waitFor,
                graceSeconds,
                reason,
                host,
                roles,
                aggregators,
                key,
                followLog,
                newWarmUp);
    }

    /** Returns a copy after {@code completed} if that is its last change of the ranks. */
    public Assignment withRescaleDone(@Nullable Rescale completed) {
        if (rescale == null || completed == null || rescale.number() != completed.number()) {
            return this;
        }
        Rescale done = new Rescale(
                rescale.number(), rescale.ranks(), rescale.master(), rescale.mayStart(), rescale.adopted(), true);
        return copy(state, desired, seq, done, warmUp);
    }

    /** Desired state of an assignment. */
    public enum Desired {
        RUN,
        STOP
    }

    /** Rendezvous address of a gang. */
    public record Master(String node, String address, int port) {}

    /**
     * Batch sizes in samples.
     *
     * @param perDevice samples of one pass on one device, rounded up
     * @param accumulation passes in addition to the first
     * @param global samples of a step on all devices
     */
    public record Batch(int perDevice, int accumulation, int global) {}

    /**
     * Change of the ranks of a running assignment. The devices, the batch and the number of ranks are those after it.
     *
     * @param number number of the change, from 1
     * @param ranks rank before the change by rank after it, on all nodes; null for one that joins
     * @param master rendezvous of the new ranks
     * @param mayStart true if no other assignment holds a device of a rank that joins
     * @param adopted true if the executor of rank 0 has reported it as complete: the training runs with the new ranks
     * @param done true if the service knows that the change is complete on this node
     */
    public record Rescale(
            int number, List<@Nullable Integer> ranks, Master master, boolean mayStart, boolean adopted, boolean done) {
        public Rescale {
            ranks = Collections.unmodifiableList(new ArrayList<>(ranks));
        }
    }

    /** Returns the change of the ranks that has to be carried out; empty if there is none. */
    public Optional<Rescale> pendingChange() {
        return Optional.ofNullable(rescale).filter(change -> !change.done());
    }

    /** Number of processes: one for each device, or one for the node. */
    public enum Launch {
        PER_DEVICE,
        PER_NODE
    }

    /**
     * Command to start.
     *
     * @param workdir working directory; null if the executor chooses
     * @param roles how the replicas of roles differ from this command, by name of the role
     */
    public record Command(
            String program,
            List<String> args,
            Map<String, String> env,
            @Nullable String workdir,
            Launch launch,
            Map<String, RoleCommand> roles) {

        public Command {
            args = List.copyOf(args);
            env = Map.copyOf(env);
            launch = Objects.requireNonNullElse(launch, Launch.PER_DEVICE);
            roles = roles == null ? Map.of() : Map.copyOf(roles);
        }

        /** Returns the effect of a failure of a replica of {@code role}. */
        public OnFailure onFailure(String role) {
            RoleCommand own = roles.get(role);
            return own == null ? OnFailure.FAIL_JOB : own.onFailure();
        }

        /** Returns the command of the replicas of {@code role}. */
        public Command of(String role) {
            RoleCommand own = roles.get(role);
            if (own == null) {
                return this;
            }
            Map<String, String> variables = new HashMap<>(env);
            variables.putAll(own.env());
            return new Command(
                    Objects.requireNonNullElse(own.program(), program),
                    Objects.requireNonNullElse(own.args(), args),
                    variables,
                    workdir,
                    launch,
                    Map.of());
        }
    }

    /** Effect of a replica that ends with another code than 0. */
    public enum OnFailure {
        FAIL_JOB,
        RESTART,
        IGNORE
    }

    /** Differences of the replicas of a role from the command of the job; null for none. */
    public record RoleCommand(
            @Nullable String program, @Nullable List<String> args, Map<String, String> env, OnFailure onFailure) {

        public RoleCommand {
            args = args == null ? null : List.copyOf(args);
            env = env == null ? Map.of() : Map.copyOf(env);
            onFailure = Objects.requireNonNullElse(onFailure, OnFailure.FAIL_JOB);
        }
    }

    /**
     * Replicas of a role on this node.
     *
     * @param count replicas of the role on all nodes
     * @param indices numbers of those on this node
     * @param cpus CPUs of each replica
     * @param memoryGiB memory of each replica
     */
    public record Replicas(String name, int count, List<Integer> indices, double cpus, double memoryGiB) {
        public Replicas {
            indices = List.copyOf(indices);
        }
    }

    /**
     * Checkpoint locations.
     *
     * @param uri path or URI; null if the executor chooses
     * @param writeAs folder name for this generation
     * @param resumeUpTo newest generation to resume from; null if none has run
     */
    public record Checkpoint(
            @Nullable String uri, String writeAs, @Nullable Long resumeUpTo) {}

    /** Allocation that still holds devices of the new assignment. */
    public record Blocker(String jobId, long generation, String node, List<String> devices) {}

    /** Location of some gradient shards of the job. */
    public record AggregatorLocation(String address, int port, List<Integer> shards) {
        public AggregatorLocation {
            shards = List.copyOf(shards);
        }
    }

    /** Share of the host's CPUs and memory on this node; 0 means not specified. */
    public record HostShare(double cpus, double memoryGiB) {}
}

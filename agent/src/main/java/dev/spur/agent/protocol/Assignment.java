package dev.spur.agent.protocol;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this node does for one job.
 *
 * @param assignmentId its id, job and generation
 * @param jobId the job
 * @param generation generation of the job's allocation
 * @param desired whether it is to run
 * @param mayStart true when every member of the gang is ready and nothing is waited for
 * @param state what the service knows of it
 * @param seq number of the last transition that counted
 * @param devices devices of this node; empty for a node that only aggregates
 * @param rankOffset rank of the first of them
 * @param worldSize devices on all nodes
 * @param nodeRank place of this node among the nodes
 * @param nodes nodes of the job in the order of ranks
 * @param master where the members meet
 * @param batch sizes of the batch
 * @param command what to start
 * @param checkpoint where checkpoints are
 * @param waitFor what holds the devices still
 * @param graceSeconds time for a checkpoint when it is stopped
 * @param reason why it is to stop; null if it is not
 * @param host share of the host that it may use; null for no limits
 * @param aggregators where its gradients are summed; empty if it does that by itself
 * @param key by which its training code may speak to the service; null if the service gives none
 */
public record Assignment(
        String assignmentId,
        String jobId,
        long generation,
        Desired desired,
        boolean mayStart,
        AssignmentPhase state,
        long seq,
        List<String> devices,
        int rankOffset,
        int worldSize,
        int nodeRank,
        List<String> nodes,
        Master master,
        Batch batch,
        Command command,
        Checkpoint checkpoint,
        List<Blocker> waitFor,
        double graceSeconds,
        @Nullable String reason,
        @Nullable HostShare host,
        List<AggregatorLocation> aggregators,
        @Nullable String key) {

    public Assignment {
        devices = List.copyOf(devices);
        nodes = List.copyOf(nodes);
        waitFor = List.copyOf(waitFor);
        aggregators = aggregators == null ? List.of() : List.copyOf(aggregators);
    }

    /** The same after a step. */
    public Assignment with(AssignmentPhase newState, Desired newDesired, long newSeq) {
        return new Assignment(
                assignmentId,
                jobId,
                generation,
                newDesired,
                mayStart,
                newState,
                newSeq,
                devices,
                rankOffset,
                worldSize,
                nodeRank,
                nodes,
                master,
                batch,
                command,
                checkpoint,
                waitFor,
                graceSeconds,
                reason,
                host,
                aggregators,
                key);
    }

    /** What the plan wants of it. */
    public enum Desired {
        RUN,
        STOP
    }

    /** Where the members of a gang meet. */
    public record Master(String node, String address, int port) {}

    /**
     * Sizes of a batch in samples.
     *
     * @param perDevice of one pass on one device, rounded up
     * @param accumulation passes beyond the first
     * @param global of a step on all devices
     */
    public record Batch(int perDevice, int accumulation, int global) {}

    /** Whether one process is started for each device, or one for the node. */
    public enum Launch {
        PER_DEVICE,
        PER_NODE
    }

    /**
     * What to start.
     *
     * @param workdir folder to start in; null if the executor chooses
     */
    public record Command(
            String program,
            List<String> args,
            Map<String, String> env,
            @Nullable String workdir,
            Launch launch) {

        public Command {
            args = List.copyOf(args);
            env = Map.copyOf(env);
            launch = Objects.requireNonNullElse(launch, Launch.PER_DEVICE);
        }
    }

    /**
     * Where checkpoints are.
     *
     * @param uri a path or URI; null if the executor chooses
     * @param writeAs name of what this generation writes
     * @param resumeUpTo newest generation to resume from; null if none has run before
     */
    public record Checkpoint(
            @Nullable String uri, String writeAs, @Nullable Long resumeUpTo) {}

    /** What still holds what is to be handed over. */
    public record Blocker(String jobId, long generation, String node, List<String> devices) {}

    /** Where some shards of its gradients are summed. */
    public record AggregatorLocation(String address, int port, List<Integer> shards) {
        public AggregatorLocation {
            shards = List.copyOf(shards);
        }
    }

    /** Processors and memory of the host that the job may use on this node; 0 where nothing is stated. */
    public record HostShare(double cpus, double memoryGiB) {}
}

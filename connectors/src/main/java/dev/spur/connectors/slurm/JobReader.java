package dev.spur.connectors.slurm;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Parses the jobs listed by slurmrestd. */
final class JobReader {
    private static final int SIGNAL_BITS = 0x7f;
    private static final int EXIT_BITS = 0xff;
    /** A shell adds the number of the signal that killed a process. */
    private static final int SIGNALED = 128;
    /** MiB of a GiB. */
    private static final double MEBIBYTES = 1024;
    /** Thousandths of a CPU. */
    private static final long CPU = 1000;

    private JobReader() {}

    static PlatformJob read(JsonNode row, Instant now) {
        Optional<LastAppliedState> mark = LastAppliedState.read(text(row, "admin_comment"));
        Integer batch = PlatformJob.batch(mark);
        JobPlacement held = heldPlacement(row).withBatch(batch).withHost(PlatformJob.host(mark));
        return new PlatformJob(
                Long.toString(row.path("job_id").asLong()),
                text(row, "name").isBlank() ? "unnamed" : text(row, "name"),
                text(row, "user_name").isBlank()
                        ? Long.toString(row.path("user_id").asLong())
                        : text(row, "user_name"),
                pool(row),
                state(row),
                requestedSize(row, held),
                1,
                nextPlacement(row)
                        .withBatch(batch)
                        .withHost(PlatformJob.host(mark) == null ? null : requestedHost(row)),
                held,
                row.path("priority").asLong(0),
                Instant.ofEpochSecond(row.path("submit_time").asLong(0)),
                row.path("time_limit").isNumber()
                        ? Optional.of(Math.max(1, row.path("time_limit").asDouble() * 60))
                        : Optional.empty(),
                annotation(row, requestedSize(row, held)),
                mark,
                unsupportedReason(row, mark, now),
                PlatformJob.Training.UNKNOWN.withFailure(failure(row)),
                new PlatformJob.NodeSelection(HostList.expand(text(row, "excluded_nodes")), List.of()));
    }

    /**
     * Returns the options of the comment, completed by those that sbatch states: deadline, CPUs and memory. slurmrestd
     * does not report the CPUs of a task, but those of all tasks.
     */
    private static JobAnnotation annotation(JsonNode row, Size size) {
        double perGpu = Gres.count(text(row, "cpus_per_tres"));
        double cpus = Math.max(row.path("cpus").asDouble(0), perGpu * size.slots());
        double perCpu = row.path("memory_per_cpu").asDouble(0) * Math.max(1, cpus);
        double perNode = row.path("memory_per_node").asDouble(0) * size.nodes();
        double memory = Math.max(perCpu, perNode);
        long deadline = row.path("deadline").asLong(0);
        return JobAnnotation.read(text(row, "comment"), Set.of(JobAnnotation.HOST_LEVELS))
                .withDefault(
                        "deadline",
                        deadline > 0
                                ? Optional.of(Instant.ofEpochSecond(deadline).toString())
                                : Optional.empty())
                .withDefaultShare("cpus", cpus, size.slots())
                .withDefaultShare(
                        "memory",
                        Math.max(memory, Gres.count(text(row, "memory_per_tres")) * size.slots()) / MEBIBYTES,
                        size.slots());
    }

    /** Returns the state with its reason, and the exit code from the wait status that slurmrestd reports. */
    private static Optional<PlatformJob.Failure> failure(JsonNode row) {
        if (state(row) != State.FAILED) {
            return Optional.empty();
        }
        int status = row.path("exit_code").asInt(0);
        int signal = status & SIGNAL_BITS;
        int code = signal == 0 ? (status >> Byte.SIZE) & EXIT_BITS : SIGNALED + signal;
        String reason = text(row, "state_reason");
        boolean known = !reason.isBlank() && !reason.equals("None");
        return Optional.of(new PlatformJob.Failure(
                code == 0 ? Optional.empty() : Optional.of(code),
                text(row, "job_state") + (known ? " (" + reason + ")" : "")));
    }

    /**
     * A job is held if it is pending with priority 0. The reported reason depends on the user who held it and on the
     * method.
     */
    private static State state(JsonNode row) {
        return switch (text(row, "job_state")) {
            case "PENDING", "REQUEUED" -> row.path("priority").asLong(0) == 0 ? State.HELD : State.WAITING;
            case "REQUEUE_HOLD", "SPECIAL_EXIT" -> State.HELD;
            case "RUNNING", "SUSPENDED", "CONFIGURING", "RESIZING" -> State.RUNNING;
            case "COMPLETING", "SIGNALING", "STAGE_OUT", "STOPPED" -> State.STOPPING;
            case "COMPLETED" -> State.DONE;
            case "CANCELLED" -> State.CANCELLED;
            default -> State.FAILED;
        };
    }

    private static String pool(JsonNode row) {
        String partition = text(row, "partition");
        return partition.isBlank() ? "none" : partition.split(",", 2)[0];
    }

    private static Size requestedSize(JsonNode row, JobPlacement held) {
        if (!held.isNowhere()) {
            return new Size(held.total(), held.slots().size());
        }
        JobPlacement pinned = nextPlacement(row);
        // after pinning, node_count keeps its previous value
        int nodes = pinned.isNowhere()
                ? Math.max(1, row.path("node_count").asInt(1))
                : pinned.slots().size();
        int perNode = Gres.count(text(row, "tres_per_node"));
        int perJob = Gres.count(text(row, "tres_per_job"));
        return new Size(perNode > 0 ? perNode * nodes : perJob, nodes);
    }

    private static JobPlacement nextPlacement(JsonNode row) {
        List<String> nodes = HostList.expand(text(row, "required_nodes"));
        int perNode = Gres.count(text(row, "tres_per_node"));
        if (perNode == 0 && !nodes.isEmpty()) {
            perNode = Gres.count(text(row, "tres_per_job")) / nodes.size();
        }
        Map<String, Integer> slots = new TreeMap<>();
        if (perNode > 0) {
            for (String node : nodes) {
                slots.put(node, perNode);
            }
        }
        return JobPlacement.of(slots);
    }

    /** Returns the host resources that each slot of the pinned job requests; null if it requests no memory. */
    private static @Nullable HostResources requestedHost(JsonNode row) {
        JobPlacement pinned = nextPlacement(row);
        long cpus = row.path("minimum_cpus_per_node").asLong(0);
        long memoryMiB = row.path("memory_per_node").asLong(0);
        long perNode = pinned.isNowhere() ? 1 : pinned.total() / pinned.slots().size();
        return cpus * CPU < perNode || memoryMiB < perNode
                ? null
                : new HostResources(cpus * CPU / perNode, memoryMiB / perNode);
    }

    private static JobPlacement heldPlacement(JsonNode row) {
        JsonNode nodes = row.path("job_resources").path("allocated_nodes");
        JsonNode details = row.path("gres_detail");
        Map<String, Integer> slots = new TreeMap<>();
        if (state(row) == State.RUNNING) {
            for (int n = 0; n < nodes.size(); n++) {
                int count = Gres.count(details.path(n).asString(""));
                if (count > 0) {
                    slots.put(nodes.path(n).path("nodename").asString(""), count);
                }
            }
        }
        return JobPlacement.of(slots);
    }

    private static Optional<String> unsupportedReason(JsonNode row, Optional<LastAppliedState> mark, Instant now) {
        if (row.path("array_job_id").asLong(0) != 0) {
            return Optional.of("job arrays are not supported");
        }
        if (row.path("het_job_id").asLong(0) != 0) {
            return Optional.of("heterogeneous jobs are not supported");
        }
        if (mark.isEmpty() && !text(row, "admin_comment").isBlank()) {
            return Optional.of("its AdminComment is used by another writer");
        }
        if (mark.isEmpty() && !text(row, "required_nodes").isBlank()) {
            return Optional.of("it requests nodes by name");
        }
        if (mark.isEmpty() && !text(row, "dependency").isBlank()) {
            return Optional.of("it waits for its dependency " + text(row, "dependency"));
        }
        Instant begin = Instant.ofEpochSecond(row.path("eligible_time").asLong(0));
        if (mark.isEmpty() && begin.isAfter(now)) {
            return Optional.of("it begins at " + begin);
        }
        Optional<String> unsupportedLevels = unsupportedLevels(row);
        return unsupportedLevels.isPresent() ? unsupportedLevels : unsupportedRequest(row);
    }

    /** Returns why Slurm cannot grant the host levels that a job states; empty if it can. */
    private static Optional<String> unsupportedLevels(JsonNode row) {
        JobAnnotation annotation = JobAnnotation.read(text(row, "comment"), Set.of(JobAnnotation.HOST_LEVELS));
        if (!annotation.has(JobAnnotation.HOST_LEVELS)) {
            return Optional.empty();
        }
        if (!text(row, "cpus_per_tres").isBlank()
                || !text(row, "memory_per_tres").isBlank()) {
            return Optional.of("the setting host-levels requires --cpus-per-task and --mem, because the CPUs and the"
                    + " memory of --cpus-per-gpu and --mem-per-gpu cannot change");
        }
        return annotation.hostSpeeds().stream().allMatch(level -> level.cpus() == Math.rint(level.cpus()))
                ? Optional.empty()
                : Optional.of("the CPUs of host-levels must be whole numbers, because Slurm allocates whole CPUs");
    }

    private static Optional<String> unsupportedRequest(JsonNode row) {
        String perNode = text(row, "tres_per_node");
        String perJob = text(row, "tres_per_job");
        if (!text(row, "tres_per_task").isBlank()
                || !text(row, "tres_per_socket").isBlank()) {
            return Optional.of("GPUs must be requested per node or in total, not per task or socket");
        }
        if (perNode.contains(",") || perJob.contains(",") || (!perNode.isBlank() && !perJob.isBlank())) {
            return Optional.of("it must request GPUs of one type, either per node or in total");
        }
        return Gres.count(perNode) + Gres.count(perJob) == 0 ? Optional.of("it requests no GPUs") : Optional.empty();
    }

    private static String text(JsonNode row, String member) {
        return row.path(member).asString("");
    }
}

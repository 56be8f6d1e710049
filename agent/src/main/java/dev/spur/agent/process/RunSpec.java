package dev.spur.agent.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Specification of the processes of one allocation on this node, stored in the folder of the run.
 *
 * @param id id of the run, equal to that of its assignment; a valid file name
 * @param jobId id of the job
 * @param generation generation of the allocation
 * @param devices ids of the devices that it holds
 * @param deviceShare part of its device that it holds; null for whole devices
 * @param processes at least one process
 * @param graceSeconds time between SIGTERM and SIGKILL
 * @param reports true if this node runs rank 0, which reports progress
 * @param cpus CPU limit; 0 for none
 * @param memoryGiB memory limit; 0 for none
 * @param rescale number of the last change of the ranks whose processes were started; 0 for none
 * @param rescaled number of the last change of the ranks that is complete; 0 for none. Until it is, the processes that
 *     join are the last ones; otherwise the processes are in the order of ranks
 * @param owner user of the processes, with their folder; null for the user of the agent
 */
public record RunSpec(
        String id,
        String jobId,
        long generation,
        List<String> devices,
        @Nullable Double deviceShare,
        List<ProcessSpec> processes,
        int graceSeconds,
        boolean reports,
        double cpus,
        double memoryGiB,
        @Nullable Integer rescale,
        @Nullable Integer rescaled,
        @Nullable Owner owner) {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    public RunSpec {
        devices = List.copyOf(devices);
        processes = List.copyOf(processes);
        for (String name : List.of(id, jobId)) {
            if (!FILE_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("id \"%s\" is not a valid file name".formatted(name));
            }
        }
        if (processes.isEmpty()) {
            throw new IllegalArgumentException("a run requires at least one process");
        }
        if (graceSeconds < 0) {
            throw new IllegalArgumentException("graceSeconds (%d) must not be negative".formatted(graceSeconds));
        }
    }

    /**
     * User of the processes of a run.
     *
     * @param work folder of the user, with the folder of each job that states no working directory
     */
    public record Owner(JobUser user, String work) {}

    /** A run on whole devices, of the user of the agent, whose ranks have not changed. */
    public RunSpec(
            String id,
            String jobId,
            long generation,
            List<String> devices,
            List<ProcessSpec> processes,
            int graceSeconds,
            boolean reports,
            double cpus,
            double memoryGiB) {
        this(id, jobId, generation, devices, null, processes, graceSeconds, reports, cpus, memoryGiB, null, null, null);
    }

    /** Returns the number of the last change of the ranks whose processes were started; 0 for none. */
    public int changesStarted() {
        return rescale == null ? 0 : rescale;
    }

    /** Returns true if a change of the ranks has begun and is not complete. */
    public boolean isRescaling() {
        return changesStarted() != changesDone();
    }

    /**
     * Returns the processes on which the end of the run depends: those of ranks that still wait to join are left out.
     */
    List<ProcessSpec> members() {
        String change = Integer.toString(changesStarted());
        return processes.stream()
                .filter(process ->
                        !isRescaling() || !change.equals(process.environment().get("SPUR_RESCALE")))
                .toList();
    }

    /** Returns the processes of ranks that wait to join. */
    List<ProcessSpec> joining() {
        List<ProcessSpec> joining = new ArrayList<>(processes);
        joining.removeAll(members());
        return joining;
    }

    /** Returns the number of the last change of the ranks that is complete; 0 for none. */
    public int changesDone() {
        return rescaled == null ? 0 : rescaled;
    }

    /** Returns this run with {@code others} as devices and processes, and those numbers of changes. */
    RunSpec with(List<String> otherDevices, List<ProcessSpec> others, int started, int done, Limits limits) {
        return new RunSpec(
                id,
                jobId,
                generation,
                otherDevices,
                deviceShare,
                others,
                graceSeconds,
                reports,
                limits.cpus(),
                limits.memoryGiB(),
                started,
                done,
                owner);
    }

    /** Returns this run with another owner; null for the user of the agent. */
    public RunSpec ownedBy(@Nullable Owner other) {
        return new RunSpec(
                id,
                jobId,
                generation,
                devices,
                deviceShare,
                processes,
                graceSeconds,
                reports,
                cpus,
                memoryGiB,
                rescale,
                rescaled,
                other);
    }

    /** Returns the limits. */
    public Limits limits() {
        return new Limits(cpus, memoryGiB);
    }

    /** Limits of a run on the host; 0 for none. */
    public record Limits(double cpus, double memoryGiB) {}

    RunSpec withCpus(double other) {
        return withLimits(new Limits(other, memoryGiB));
    }

    /** Returns this run with other limits. */
    RunSpec withLimits(Limits others) {
        return new RunSpec(
                id,
                jobId,
                generation,
                devices,
                deviceShare,
                processes,
                graceSeconds,
                reports,
                others.cpus(),
                others.memoryGiB(),
                rescale,
                rescaled,
                owner);
    }

    /**
     * A process.
     *
     * @param rank number of the process in its run: its rank when the run started, or that of its first device if it
     *     uses several. Ranks that joined later have larger numbers
     * @param command program and arguments
     * @param environment variables in addition to those of the agent
     * @param workdir working directory; empty for the folder of its log, or a folder of the owner of the run
     */
    public record ProcessSpec(int rank, List<String> command, Map<String, String> environment, String workdir) {
        public ProcessSpec {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            if (command.isEmpty()) {
                throw new IllegalArgumentException("a process requires a command");
            }
        }
    }
}

package dev.spur.agent.process;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Specification of the processes of one allocation on this node, stored in the folder of the run.
 *
 * @param id id of the run, equal to that of its assignment; a valid file name
 * @param jobId id of the job
 * @param generation generation of the allocation
 * @param devices ids of the devices that it holds
 * @param processes at least one process
 * @param graceSeconds time between SIGTERM and SIGKILL
 * @param reports true if this node runs rank 0, which reports progress
 * @param cpus CPU limit; 0 for none
 * @param memoryGiB memory limit; 0 for none
 */
public record RunSpec(
        String id,
        String jobId,
        long generation,
        List<String> devices,
        List<ProcessSpec> processes,
        int graceSeconds,
        boolean reports,
        double cpus,
        double memoryGiB) {
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

    RunSpec withCpus(double other) {
        return new RunSpec(id, jobId, generation, devices, processes, graceSeconds, reports, other, memoryGiB);
    }

    /**
     * A process.
     *
     * @param rank rank, or rank of its first device if it uses several
     * @param command program and arguments
     * @param environment variables in addition to those of the agent
     * @param workdir working directory; empty for the folder of its log
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

package dev.spur.agent.process;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What is started on this node for one allocation of a job. Kept in the folder of the run.
 *
 * @param id id of the run, which is that of its assignment; fit to be the name of a file
 * @param jobId the job
 * @param generation generation of the allocation
 * @param devices ids of the devices that it holds
 * @param processes at least one
 * @param graceSeconds time between SIGTERM and SIGKILL
 * @param reports true if progress comes from here, which is so where rank 0 is
 * @param cpus processors that it may use; 0 for no limit
 * @param memoryGiB memory that it may use; 0 for no limit
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
                throw new IllegalArgumentException("\"%s\" cannot be the name of a file".formatted(name));
            }
        }
        if (processes.isEmpty()) {
            throw new IllegalArgumentException("a run without processes");
        }
        if (graceSeconds < 0) {
            throw new IllegalArgumentException("graceSeconds (%d) is negative".formatted(graceSeconds));
        }
    }

    RunSpec withCpus(double other) {
        return new RunSpec(id, jobId, generation, devices, processes, graceSeconds, reports, other, memoryGiB);
    }

    /**
     * One process.
     *
     * @param rank its rank, that of its first device if it serves several
     * @param command program and arguments
     * @param environment what is set beyond the environment of the agent
     * @param workdir folder in which it starts; empty for that of its log
     */
    public record ProcessSpec(int rank, List<String> command, Map<String, String> environment, String workdir) {

        public ProcessSpec {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            if (command.isEmpty()) {
                throw new IllegalArgumentException("a process without a program");
            }
        }
    }
}

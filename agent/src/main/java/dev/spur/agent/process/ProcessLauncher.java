package dev.spur.agent.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Starts the processes of runs, each under a guard, with the variables by which it finds its files. */
final class ProcessLauncher {
    /** Variable with the lease of the agent, by which the agent finds its processes. */
    static final String LEASE_FILE = "SPUR_LEASE_FILE";

    private final StateDirectory state;
    private final long logBytes;

    /** @param logBytes size at which the guard of a process rotates its log; above 0 */
    ProcessLauncher(StateDirectory state, long logBytes) {
        this.state = state;
        this.logBytes = logBytes;
    }

    /**
     * Starts a process of {@code spec} under its guard.
     *
     * @param group control group of the run, if there is one
     * @param prefix words before the command that restrict its CPUs
     * @throws IOException if the process cannot be started
     */
    Process start(
            RunSpec spec, RunSpec.ProcessSpec process, RunFolder folder, Optional<Path> group, List<String> prefix)
            throws IOException {
        File out = state.log(spec.jobId(), spec.generation(), process.rank()).toFile();
        Files.createDirectories(out.getParentFile().toPath());
        RunSpec.Owner owner = spec.owner();
        List<String> arguments = new ArrayList<>(prefix);
        arguments.addAll(List.of(
                "setsid",
                "sh",
                state.guard().toString(),
                folder.of(process.rank()).toString(),
                state.lease().toString(),
                Integer.toString(spec.graceSeconds()),
                group.map(Path::toString).orElse(""),
                out.toString(),
                Long.toString(logBytes),
                owner == null ? "" : owner.user().ids()));
        arguments.addAll(process.command());
        ProcessBuilder builder = new ProcessBuilder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        Map<String, String> variables = variables(spec, process.rank(), folder);
        // jobs must not inherit the agent's settings, which include its token
        builder.environment().keySet().removeIf(name -> name.startsWith("SPUR_"));
        if (owner == null) {
            builder.environment().putAll(process.environment());
            builder.directory(process.workdir().isEmpty() ? out.getParentFile() : new File(process.workdir()));
        } else {
            var script = new EnvironmentScript(owner.user(), builder.environment());
            String workdir = process.workdir();
            if (workdir.isEmpty()) {
                workdir = owner.work() + "/" + spec.jobId();
                owner.user().createFolders(workdir);
            }
            SmallFile.write(folder.environment(process.rank()), script.text(process.environment(), variables, workdir));
            // the guard is a process of the agent's user, so no variable of the job may reach it
            builder.environment().keySet().retainAll(List.of("PATH"));
            builder.directory(new File("/"));
        }
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** Returns the variables by which a process finds its files, and the agent finds the process. */
    private Map<String, String> variables(RunSpec spec, int rank, RunFolder folder) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("SPUR_ASSIGNMENT", spec.id());
        variables.put(ProcessRun.PROCESS, folder.of(rank).toString());
        variables.put(LEASE_FILE, state.lease().toString());
        variables.put(ProcessRun.MARK, folder.report().toUri().toString());
        variables.put("SPUR_CONTROL_DIR", folder.control().toString());
        if (Files.exists(folder.aggregators())) {
            variables.put("SPUR_AGGREGATORS", folder.aggregators().toString());
        }
        if (Files.exists(folder.loans())) {
            variables.put("SPUR_LOANS", folder.loans().toString());
        }
        if (folder.isWarming()) {
            variables.put("SPUR_WARM_UP", folder.begin().toString());
        }
        return variables;
    }
}

package dev.spur.agent.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All runs of this node. Not safe for several threads at a time. */
public final class ProcessRuns {
    private static final String LEASE_FILE = "SPUR_LEASE_FILE";
    private static final double PAGES_PER_GIB = 1 << 18;

    private final StateDirectory state;
    private final Optional<ControlGroup> limits;
    private final Consumer<String> log;
    private final DeviceLocks locks;
    private final Map<String, ProcessRun> runs = new TreeMap<>();

    private ProcessRuns(StateDirectory state, Optional<ControlGroup> limits, Consumer<String> log) {
        this.state = state;
        this.limits = limits;
        this.log = log;
        this.locks = new DeviceLocks(state.devices());
    }

    /** Finds again what an agent left here before: its processes go on as if nothing had happened. */
    public static ProcessRuns reattach(StateDirectory state, Optional<ControlGroup> limits, Consumer<String> log)
            throws IOException {
        ProcessRuns found = new ProcessRuns(state, limits, log);
        for (String id : state.runs()) {
            RunFolder folder = new RunFolder(state.run(id));
            Optional<RunSpec> spec = folder.spec();
            if (spec.isPresent()) {
                found.runs.put(id, new ProcessRun(spec.get(), folder));
            } else {
                // Prepared only in part: nothing was started.
                folder.delete();
            }
        }
        found.releaseWhatNobodyHolds();
        return found;
    }

    public Collection<ProcessRun> all() {
        return List.copyOf(runs.values());
    }

    /** True if none of the devices is held by another run. */
    public boolean areFree(List<String> devices, String run) {
        return devices.stream()
                .allMatch(device -> locks.holder(device)
                        .filter(holder -> !holder.equals(run))
                        .isEmpty());
    }

    /**
     * Takes the devices and starts the processes. They write to the logs of the state directory.
     *
     * @throws IllegalStateException if a device is held by another run, or the run is there already
     * @throws IOException if the processes cannot be started; then nothing is left of them
     */
    public ProcessRun start(RunSpec spec) throws IOException {
        return start(spec, Optional.empty());
    }

    /**
     * Does the same for a run that sums gradients elsewhere.
     *
     * @param aggregators where that is, see {@link ProcessRun#tellAggregators}; empty for a run that does not
     * @throws IOException if the processes cannot be started; then nothing is left of them
     */
    public ProcessRun start(RunSpec spec, Optional<String> aggregators) throws IOException {
        if (runs.containsKey(spec.id())) {
            throw new IllegalStateException("run %s is there already".formatted(spec.id()));
        }
        if (!locks.take(spec.devices(), spec.id())) {
            throw new IllegalStateException("a device of run %s is held by another run".formatted(spec.id()));
        }
        RunFolder folder = new RunFolder(state.run(spec.id()));
        folder.create(spec);
        ProcessRun run = new ProcessRun(spec, folder);
        runs.put(spec.id(), run);
        aggregators.ifPresent(run::tellAggregators);
        try {
            Optional<Path> group = limits.isPresent() ? limits.get().create(spec) : Optional.empty();
            for (RunSpec.ProcessSpec process : spec.processes()) {
                run.started(start(spec, process, folder, group));
            }
            return run;
        } catch (IOException e) {
            run.fail();
            throw e;
        }
    }

    private Process start(RunSpec spec, RunSpec.ProcessSpec process, RunFolder folder, Optional<Path> group)
            throws IOException {
        File out = state.log(spec.jobId(), spec.generation(), process.rank()).toFile();
        Files.createDirectories(out.getParentFile().toPath());
        List<String> words = new ArrayList<>(List.of(
                "setsid",
                "sh",
                state.guard().toString(),
                folder.of(process.rank()).toString(),
                state.lease().toString(),
                Integer.toString(spec.graceSeconds()),
                group.map(Path::toString).orElse("")));
        words.addAll(process.command());
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(out))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        // What the agent was told, its token among it, is not for jobs.
        builder.environment().keySet().removeIf(name -> name.startsWith("SPUR_"));
        builder.environment().putAll(process.environment());
        builder.environment().put("SPUR_ASSIGNMENT", spec.id());
        builder.environment().put(LEASE_FILE, state.lease().toString());
        builder.environment().put(ProcessRun.MARK, folder.report().toUri().toString());
        if (Files.exists(folder.aggregators())) {
            builder.environment().put("SPUR_AGGREGATORS", folder.aggregators().toString());
        }
        if (!process.workdir().isEmpty()) {
            builder.directory(new File(process.workdir()));
        } else {
            builder.directory(out.getParentFile());
        }
        return builder.start();
    }

    /**
     * Memory that processes use which were started under the lease of {@code state}, GiB. May be asked from any thread.
     */
    public static double usedGiB(StateDirectory state) {
        long pages = ProcessTable.carrying(LEASE_FILE, state.lease().toString()).stream()
                .mapToLong(ProcessTable::residentPages)
                .sum();
        return pages / PAGES_PER_GIB;
    }

    /** The run with this id, whatever became of it. */
    public Optional<ProcessRun> find(String id) {
        return Optional.ofNullable(runs.get(id));
    }

    /** Tells a run to end; see {@link ProcessRun.Phase#STOPPING}. Nothing happens if there is none. */
    public void stop(String id, String reason, double graceSeconds) {
        ProcessRun run = runs.get(id);
        if (run != null) {
            run.stop(reason, graceSeconds);
        }
    }

    /** Sends the processes of a run SIGURG, which ends nobody. Nothing happens if there is none. */
    public void nudge(String id) {
        ProcessRun run = runs.get(id);
        if (run != null) {
            run.nudge();
        }
    }

    /** Looks at every run; to be called often. Runs of which nothing is left give their devices back. */
    public void look() {
        for (ProcessRun run : runs.values()) {
            if (run.look()) {
                locks.release(run.spec().devices(), run.spec().id());
                removeGroup(run.spec().id());
                log.accept(
                        "%s has ended%s".formatted(run.spec().id(), run.wasRequested() ? ", as it was told to" : ""));
            }
        }
    }

    /** Deletes what is known of a run that has ended; its logs stay. */
    public void forget(String id) {
        ProcessRun run = runs.get(id);
        if (run != null && run.phase() == ProcessRun.Phase.ENDED) {
            run.folder().delete();
            runs.remove(id);
        }
    }

    /** Gives a run another limit of processors, where there are limits. */
    public void limitCpus(String id, double cpus) {
        ProcessRun run = runs.get(id);
        try {
            if (run != null && limits.isPresent()) {
                limits.get().create(run.spec().withCpus(cpus));
            }
        } catch (IOException e) {
            log.accept("the processors of %s stay as they are: %s".formatted(id, e.getMessage()));
        }
    }

    /**
     * How many logs are kept.
     *
     * @param bytesOfOne a log of a running process that has more is moved to a file beside it, of which there is one;
     *     above 0
     * @param bytes of all logs; those of running processes stay even if they have more
     * @param files of all logs, likewise
     * @param age since a log of a process that has ended was last written
     */
    public record LogBounds(long bytesOfOne, long bytes, int files, Duration age) {}

    /** Keeps the logs of this state directory within bounds. */
    public void pruneLogs(LogBounds bounds) {
        Set<Path> living = new HashSet<>();
        for (ProcessRun run : runs.values()) {
            RunSpec spec = run.spec();
            spec.processes().forEach(process -> living.add(state.log(spec.jobId(), spec.generation(), process.rank())));
        }
        try {
            new LogPruner(state.file("logs"), bounds).prune(living, Instant.now());
        } catch (IOException | UncheckedIOException e) {
            log.accept("logs stay as they are: " + e.getMessage());
        }
    }

    private void removeGroup(String id) {
        try {
            if (limits.isPresent()) {
                limits.get().remove(id);
            }
        } catch (IOException e) {
            log.accept("the control group of %s stays: %s".formatted(id, e.getMessage()));
        }
    }

    private void releaseWhatNobodyHolds() throws IOException {
        try (var files = Files.list(state.devices())) {
            for (Path file : files.toList()) {
                String holder = SmallFile.read(file).orElse("");
                if (!runs.containsKey(holder)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException(e);
        }
    }
}

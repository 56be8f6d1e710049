package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All runs of this node. Not thread-safe. */
public final class ProcessRuns {
    private static final double PAGES_PER_GIB = 1 << 18;
    /** Exit code of a process that could not start. */
    private static final int CANNOT_START = 1;

    private final StateDirectory state;
    private final RunLimits limits;
    private final LogBounds bounds;
    private final Consumer<String> log;
    private final ProcessLauncher launcher;
    private final Map<String, ProcessRun> runs = new TreeMap<>();

    private ProcessRuns(StateDirectory state, Optional<ControlGroup> limits, LogBounds bounds, Consumer<String> log) {
        this.state = state;
        this.limits = new RunLimits(limits, log);
        this.bounds = bounds;
        this.log = log;
        this.launcher = new ProcessLauncher(state, bounds.bytesOfOne());
    }

    /**
     * Reattaches to the runs of a previous agent, whose processes continue without interruption.
     *
     * @param bounds limits for the logs of these runs
     * @throws IOException if the folder cannot be read
     */
    public static ProcessRuns reattach(
            StateDirectory state, Optional<ControlGroup> limits, LogBounds bounds, Consumer<String> log)
            throws IOException {
        ProcessRuns found = new ProcessRuns(state, limits, bounds, log);
        for (String id : state.runs()) {
            RunFolder folder = new RunFolder(state.run(id));
            Optional<RunSpec> spec = folder.spec();
            if (spec.isPresent()) {
                found.runs.put(id, new ProcessRun(spec.get(), folder));
            } else {
                // incompletely prepared run without processes
                found.delete(folder, id);
            }
        }
        return found;
    }

    /** Restricts the CPUs of runs by {@code cpuAffinity}, where no control group limits them. */
    public void restrictCpus(CpuAffinity cpuAffinity) {
        limits.restrictCpus(cpuAffinity);
    }

    public Collection<ProcessRun> all() {
        return List.copyOf(runs.values());
    }

    /**
     * Returns true if the other runs leave enough of the devices for a run.
     *
     * @param share part of its device that the run holds; null for whole devices
     */
    public boolean areFree(List<String> devices, @Nullable Double share, String run) {
        HeldDevices held = new HeldDevices();
        for (ProcessRun other : runs.values()) {
            if (!other.spec().id().equals(run) && other.phase() != ProcessRun.Phase.ENDED) {
                held.add(other.spec().devices(), other.spec().deviceShare());
            }
        }
        return held.leaveRoomFor(devices, share);
    }

    /** Content of the files that the agent writes for the processes before their start; null for none. */
    public record InitialFiles(
            @Nullable String shardLocations,
            @Nullable String loans,
            @Nullable String loanKeys) {
        static final InitialFiles NONE = new InitialFiles(null, null, null);
    }

    /**
     * Starts the processes, which hold the devices of the run. Their logs are in the state directory.
     *
     * @throws IllegalStateException if other runs leave too little of a device, or the run exists
     * @throws IOException if the processes cannot start; then none is left
     */
    public ProcessRun start(RunSpec spec) throws IOException {
        return start(spec, InitialFiles.NONE);
    }

    /** Starts the processes as {@link #start(RunSpec)} does, with files of the agent. */
    public ProcessRun start(RunSpec spec, InitialFiles files) throws IOException {
        return start(spec, files, false);
    }

    /**
     * Starts processes that wait for {@link ProcessRun#begin}, and hold the devices of the run.
     *
     * @throws IllegalStateException if other runs leave too little of a device, or the run exists
     * @throws IOException if the processes cannot start; then none is left
     */
    public ProcessRun warmUp(RunSpec spec) throws IOException {
        return start(spec, InitialFiles.NONE, true);
    }

    private ProcessRun start(RunSpec spec, InitialFiles files, boolean warming) throws IOException {
        if (runs.containsKey(spec.id())) {
            throw new IllegalStateException("run %s already exists".formatted(spec.id()));
        }
        state.writeGuard();
        requireFree(spec, spec.devices());
        RunFolder folder = new RunFolder(state.run(spec.id()));
        ProcessRun run = new ProcessRun(spec, folder);
        try {
            folder.create(spec);
            if (warming) {
                folder.markWarming();
            }
            Optional.ofNullable(files.shardLocations()).ifPresent(run::writeShardLocations);
            Optional.ofNullable(files.loans())
                    .ifPresent(loans -> run.writeLoans(loans, Objects.requireNonNullElse(files.loanKeys(), "")));
        } catch (UncheckedIOException e) {
            folder.delete();
            throw e.getCause();
        }
        runs.put(spec.id(), run);
        int started = spec.processes().get(0).rank();
        try {
            Optional<Path> group = limits.create(spec);
            for (RunSpec.ProcessSpec process : spec.processes()) {
                started = process.rank();
                run.addProcess(launcher.start(spec, process, folder, group, limits.prefix(spec)));
            }
            return run;
        } catch (IOException e) {
            recordFailedStart(spec, folder, started, e);
            run.fail();
            throw e;
        }
    }

    /**
     * Changes the limits of a run while it continues.
     *
     * @throws UncheckedIOException if they cannot be changed; the run then has its former ones
     */
    public void limit(ProcessRun run, RunSpec.Limits granted) {
        RunSpec after = run.spec().withLimits(granted);
        limits.change(run, after);
        run.change(after);
        log.accept("%s has %s CPUs and %s GiB now".formatted(after.id(), after.cpus(), after.memoryGiB()));
    }

    private void requireFree(RunSpec spec, List<String> devices) {
        if (!areFree(devices, spec.deviceShare(), spec.id())) {
            throw new IllegalStateException("another run holds a device of run " + spec.id());
        }
    }

    /** Records why a process could not start in its log, and an exit code. */
    private void recordFailedStart(RunSpec spec, RunFolder folder, int rank, IOException cause) {
        Path out = state.log(spec.jobId(), spec.generation(), rank);
        try {
            folder.writeExit(rank, CANNOT_START);
            Files.createDirectories(out.getParent());
            Files.writeString(
                    out,
                    "spur: the process could not start: %s%n".formatted(cause.getMessage()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException | UncheckedIOException unwritable) {
            log.accept("cannot write %s: %s".formatted(out, unwritable.getMessage()));
        }
    }

    /** Returns the logs and ends of the processes of a run, in the order of ranks. */
    public List<ProcessOutput> outputs(ProcessRun run) {
        RunSpec spec = run.spec();
        return spec.processes().stream()
                .map(process -> new ProcessOutput(
                        run.folder(), process.rank(), state.log(spec.jobId(), spec.generation(), process.rank())))
                .toList();
    }

    /**
     * Starts the processes of the ranks that join a run, on further devices. The run holds all devices until
     * {@link #completeRescale}.
     *
     * @param number number of the change of the ranks
     * @param devices devices of the run after the change
     * @param joining processes of the ranks that join, in rank order
     * @throws IllegalStateException if another run holds a device
     * @throws IOException if the change cannot be recorded, or the processes cannot start; in the latter case the run
     *     fails
     */
    public void rescale(
            ProcessRun run, int number, List<String> devices, List<RunSpec.ProcessSpec> joining, RunSpec.Limits limits)
            throws IOException {
        RunSpec before = run.spec();
        state.writeGuard();
        requireFree(before, devices);
        Set<String> held = new LinkedHashSet<>(before.devices());
        held.addAll(devices);
        List<RunSpec.ProcessSpec> processes = new ArrayList<>(before.processes());
        processes.addAll(joining);
        try {
            joining.forEach(process -> run.folder().addProcess(before, process.rank()));
            run.change(before.with(List.copyOf(held), processes, number, before.changesDone(), limits));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        try {
            Optional<Path> group = this.limits.create(run.spec());
            for (RunSpec.ProcessSpec process : joining) {
                run.addProcess(
                        launcher.start(run.spec(), process, run.folder(), group, this.limits.prefix(run.spec())));
            }
        } catch (IOException e) {
            run.fail();
            throw e;
        }
    }

    /**
     * Completes a change of the ranks whose training has adopted it: releases the devices of the ranks that left, once
     * none of their processes exists.
     *
     * @param devices devices of the run after the change, at least one
     * @param kill true to kill the processes of the ranks that left
     * @return true if the change is complete
     */
    public boolean completeRescale(ProcessRun run, List<String> devices, boolean kill) {
        RunSpec before = run.spec();
        List<RunSpec.ProcessSpec> after = devices.stream()
                .map(device -> before.processes().get(before.devices().indexOf(device)))
                .toList();
        List<RunSpec.ProcessSpec> left = new ArrayList<>(before.processes());
        left.removeAll(after);
        if (kill) {
            left.forEach(process -> run.kill(process.rank()));
        }
        if (left.stream().anyMatch(process -> run.isAlive(process.rank()))) {
            return false;
        }
        int number = before.changesStarted();
        run.change(before.with(devices, after, number, number, before.limits()));
        return true;
    }

    /**
     * Handles ranks that wait to join. If all other processes of the run have ended, the training is over: its end does
     * not depend on the ranks that wait, so these are killed and no longer part of the run. A run whose agent was
     * killed before it had started all of them fails.
     *
     * @param late true if all of them have had the time to start
     */
    public void endAbandonedRanks(ProcessRun run, boolean late) {
        RunSpec spec = run.spec();
        List<RunSpec.ProcessSpec> others = spec.members();
        boolean over = others.stream()
                .allMatch(process -> run.folder().exit(process.rank()).isPresent());
        if (over && !others.isEmpty()) {
            spec.joining().forEach(process -> run.kill(process.rank()));
            int number = spec.changesStarted();
            run.change(spec.with(spec.devices(), others, number, number, spec.limits()));
        } else if (late && spec.joining().stream().anyMatch(process -> !run.wasStarted(process.rank()))) {
            log.accept("%s fails: a rank that joins was not started".formatted(spec.id()));
            run.fail();
        }
    }

    /** Returns the memory used by processes under the lease of {@code state}, GiB. Thread-safe. */
    public static double usedGiB(StateDirectory state) {
        return residentGiB(
                ProcessTable.carrying(ProcessLauncher.LEASE_FILE, state.lease().toString()));
    }

    static double residentGiB(List<Long> processes) {
        return processes.stream().mapToLong(ProcessTable::residentPages).sum() / PAGES_PER_GIB;
    }

    /** Returns the run with this id, in any state. */
    public Optional<ProcessRun> find(String id) {
        return Optional.ofNullable(runs.get(id));
    }

    /** Requests the stop of a run; see {@link ProcessRun.Phase#STOPPING}. No effect if it does not exist. */
    public void stop(String id, String reason, double graceSeconds) {
        ProcessRun run = runs.get(id);
        if (run != null) {
            run.stop(reason, graceSeconds);
        }
    }

    /** Sends SIGURG, which is ignored by default, to the processes of a run. No effect if it does not exist. */
    public void notifyProcesses(String id) {
        ProcessRun run = runs.get(id);
        if (run != null) {
            run.notifyProcesses();
        }
    }

    /** Observes every run; must be called frequently. Ended runs release their devices. */
    public void observe() {
        for (ProcessRun run : runs.values()) {
            if (run.observe()) {
                if (limits.remove(run.spec().id())) {
                    run.folder().markOutOfMemory();
                }
                log.accept("%s has ended%s".formatted(run.spec().id(), run.wasRequested() ? " on request" : ""));
            }
        }
    }

    /** Deletes the folder of an ended run; its logs are kept. */
    public void forget(String id) {
        ProcessRun run = runs.get(id);
        if (run != null && run.phase() == ProcessRun.Phase.ENDED) {
            run.folder().delete();
            runs.remove(id);
        }
    }

    /** Deletes a folder without a run; an error is logged, because it must not prevent the start of the agent. */
    private void delete(RunFolder folder, String id) {
        try {
            folder.delete();
        } catch (UncheckedIOException e) {
            log.accept("cannot delete the folder of %s: %s".formatted(id, e.getMessage()));
        }
    }

    /** Changes the CPU limit of a run, if limits are available. */
    public void limitCpus(String id, double cpus) {
        ProcessRun run = runs.get(id);
        if (run != null) {
            limits.limitCpus(run.spec(), cpus);
        }
    }

    /**
     * Limits for logs.
     *
     * @param bytesOfOne size at which the guard of a process moves its log to the single rotated file; above 0
     * @param bytes total size of all logs; logs of running processes are kept even beyond it
     * @param files number of logs, likewise
     * @param age time since the last write after which the log of an ended process is deleted
     */
    public record LogBounds(long bytesOfOne, long bytes, int files, Duration age) {}

    /** Deletes logs of ended processes beyond the limits. */
    public void pruneLogs() {
        Set<Path> living = new HashSet<>();
        for (ProcessRun run : runs.values()) {
            RunSpec spec = run.spec();
            spec.processes().forEach(process -> living.add(state.log(spec.jobId(), spec.generation(), process.rank())));
        }
        try {
            new LogPruner(state.logs(), bounds).prune(living, Instant.now());
        } catch (IOException | UncheckedIOException e) {
            log.accept("cannot prune logs: " + e.getMessage());
        }
    }
}

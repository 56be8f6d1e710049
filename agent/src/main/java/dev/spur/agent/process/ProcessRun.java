package dev.spur.agent.process;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Processes of one allocation on this node, from locking its devices until no process is left. */
public final class ProcessRun {
    /**
     * Environment variable by which the processes of a run are found, with or without their guards. The assignment id
     * is not sufficient, because agents of two nodes on one machine may run parts of the same gang.
     */
    static final String MARK = "SPUR_REPORT_URL";

    /** Environment variable by which the processes of one rank are found. */
    static final String PROCESS = "SPUR_PROCESS_DIR";

    /** Exit code of a process that was killed together with its guard. */
    static final int KILLED = 137;

    private static final int TERMINATED = 143;

    private static final int MAX_REPORT_BYTES = 64 << 10;

    private RunSpec spec;
    private final RunFolder folder;
    private final List<Process> started = new ArrayList<>();
    private final Set<Integer> terminated = new HashSet<>();
    private boolean ended;
    /** Reason of a stop that could not be recorded yet, for example on a full disk. */
    private Optional<String> unrecordedStop = Optional.empty();
    /** Cause of a failure that could not be recorded yet. */
    private Optional<String> unrecordedFailure = Optional.empty();

    private OptionalLong killAtNanos = OptionalLong.empty();

    ProcessRun(RunSpec spec, RunFolder folder) {
        this.spec = spec;
        this.folder = folder;
    }

    /** State of a run. */
    public enum Phase {
        /** At least one process runs, and no stop was requested. */
        RUNNING,
        /** A stop was requested, and processes are left. */
        STOPPING,
        /** No process is left, and no device is held. */
        ENDED
    }

    public RunSpec spec() {
        return spec;
    }

    public Phase phase() {
        if (ended) {
            return Phase.ENDED;
        }
        return isStopping() ? Phase.STOPPING : Phase.RUNNING;
    }

    /** Returns true if a stop was requested; false if the program ended, or will end, without a request. */
    public boolean wasRequested() {
        return !hasFailed() && (isStopping() || folder.isStopRequested());
    }

    /**
     * Returns the first exit code other than 0 of its processes; empty while none has ended. Codes of the signals of a
     * stop come last, because the failure of one process stops the others. The code of a failure outside of the run
     * precedes all.
     */
    public OptionalInt exitCode() {
        Optional<ForeignFailure> failure = foreignFailure();
        if (failure.isPresent()) {
            return OptionalInt.of(failure.get().exitCode());
        }
        List<RunSpec.ProcessSpec> decisive = decisive();
        List<Integer> codes = codes(decisive);
        if (codes.isEmpty()) {
            return ended ? OptionalInt.of(KILLED) : OptionalInt.empty();
        }
        boolean incomplete = ended && codes.size() < decisive.size();
        Function<Integer, Boolean> ofAStop = code -> code == KILLED || code == TERMINATED;
        return OptionalInt.of(codes.stream()
                .filter(code -> code != 0)
                .min(Comparator.comparing(ofAStop))
                .orElse(incomplete ? KILLED : 0));
    }

    /**
     * Returns the processes whose exit codes count. A rank that waits to join fails when the training ends without it,
     * so it does not count once a rank of the training has ended successfully.
     */
    private List<RunSpec.ProcessSpec> decisive() {
        List<RunSpec.ProcessSpec> members = spec.members();
        return codes(members).contains(0) ? members : spec.processes();
    }

    private List<Integer> codes(List<RunSpec.ProcessSpec> processes) {
        return processes.stream()
                .map(process -> folder.exit(process.rank()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the process id of the first guard, once started. */
    public OptionalLong pid() {
        return folder.guard(spec.processes().get(0).rank())
                .map(guard -> OptionalLong.of(guard.pid()))
                .orElse(OptionalLong.empty());
    }

    /**
     * Returns the last report of rank 0. The job writes this file, so its content may be anything.
     *
     * @return empty if there is none; an empty text if it is not a regular file of at most 64 KiB
     */
    public Optional<String> report() {
        return SmallFile.readForeign(folder.report().resolve("progress.json"), MAX_REPORT_BYTES);
    }

    /** Returns the value of {@link #MARK}, which is unique for each run on this machine. */
    String mark() {
        return folder.report().toUri().toString();
    }

    /** Writes the current shard locations for the processes, as JSON. */
    public void writeShardLocations(String json) {
        update(folder.aggregators(), json);
    }

    /** Writes the current remote memory of a preparation, as JSON, and its keys. Returns true if it has changed. */
    public boolean writeLoans(String json, String keys) {
        boolean changed = update(folder.loanKeys(), keys);
        return update(folder.loans(), json) || changed;
    }

    /** Returns the resident memory of its processes, GiB. */
    public double usedGiB() {
        return ProcessRuns.residentGiB(ProcessTable.carrying(MARK, mark()));
    }

    /** Writes the current batch for rank 0, as JSON. A running training applies a change between two steps. */
    public void writeDirective(String json) {
        update(folder.directive(), json);
    }

    private static boolean update(Path file, String text) {
        boolean changed = !text.equals(SmallFile.read(file).orElse(""));
        if (changed) {
            SmallFile.writeShared(file, text);
        }
        return changed;
    }

    /** Returns true if its processes were started before the start of the run, and wait for it. */
    public boolean isWarming() {
        return folder.isWarming();
    }

    /** Returns true if all processes of a run that is warming are ready to start. */
    public boolean isReady() {
        return spec.processes().stream().allMatch(process -> folder.isReady(process.rank()));
    }

    /** Starts a run that is warming. {@code json} has the environment variables that have changed since. */
    public void begin(String json) {
        SmallFile.writeShared(folder.begin(), json);
    }

    /** Stores {@code changed} as the specification of this run. */
    void change(RunSpec changed) {
        folder.write(changed);
        spec = changed;
    }

    /** Returns true if a process with this number exists, or one of its children. */
    boolean isAlive(int process) {
        return folder.isAlive(process)
                || !ProcessTable.carrying(PROCESS, folder.of(process).toString())
                        .isEmpty();
    }

    /** Kills the process with this number and its children. */
    void kill(int process) {
        folder.guard(process)
                .filter(guard -> folder.isAlive(process))
                .ifPresent(guard -> Signals.toGroup(guard.pid(), Signals.KILL));
        ProcessTable.carrying(PROCESS, folder.of(process).toString()).forEach(id -> Signals.to(id, Signals.KILL));
    }

    /** Returns true if the process with this number was started, as far as its guard has recorded it. */
    boolean wasStarted(int process) {
        return folder.guard(process).isPresent();
    }

    RunFolder folder() {
        return folder;
    }

    void addProcess(Process process) {
        started.add(process);
    }

    private boolean isMarked() {
        return unrecordedStop.isPresent() || folder.isMarkedStop() || hasFailed();
    }

    private boolean hasFailed() {
        return failure().isPresent();
    }

    private Optional<String> failure() {
        return unrecordedFailure.isPresent() ? unrecordedFailure : folder.failure();
    }

    /** Failure of a process of another run on which this run depends. */
    public record ForeignFailure(int exitCode, String cause) {}

    /** Returns the failure of another run by which this run failed; empty if there is none. */
    public Optional<ForeignFailure> foreignFailure() {
        return failure()
                .filter(text -> !text.isBlank())
                .map(text -> text.split(" ", 2))
                .map(parts -> new ForeignFailure(Integer.parseInt(parts[0]), parts[1]));
    }

    /** Fails this run by {@code failure}, and stops its processes. No effect on a run that stops or has ended. */
    public void fail(ForeignFailure failure) {
        if (phase() == Phase.RUNNING) {
            fail("%d %s".formatted(failure.exitCode(), failure.cause()));
        }
    }

    /** Records a stop and a failure that are not recorded yet. The next observation repeats a failed attempt. */
    private void record() {
        try {
            unrecordedStop.ifPresent(folder::markStop);
            unrecordedStop = Optional.empty();
            unrecordedFailure.ifPresent(folder::markFailed);
            unrecordedFailure = Optional.empty();
        } catch (UncheckedIOException unwritable) {
            // the agent reports a full disk; the stop itself needs no file
        }
    }

    private boolean isStopping() {
        return isMarked() || spec.processes().stream().anyMatch(process -> folder.hasLapsed(process.rank()));
    }

    /**
     * Stops every process by SIGTERM now and SIGKILL after {@code graceSeconds}. A second call can only shorten the
     * time.
     */
    void stop(String reason, double graceSeconds) {
        if (ended) {
            return;
        }
        if (killAtNanos.isEmpty()) {
            unrecordedStop = Optional.of(reason);
            record();
        }
        terminateWithin(graceSeconds);
    }

    /** Observes the processes and performs the next due step of a stop. Returns true if this call detected the end. */
    boolean observe() {
        if (ended) {
            return false;
        }
        record();
        if (killAtNanos.isEmpty() && isMarked()) {
            // the stop was requested by a previous agent whose clock is lost, so the grace period starts again
            terminateWithin(spec.graceSeconds());
        }
        if (!isAlive()) {
            ended = !killRemaining();
            return ended;
        }
        if (killAtNanos.isEmpty() && aProcessFailed()) {
            // the other processes would wait for the failed one indefinitely
            fail();
        }
        if (killAtNanos.isPresent()) {
            // repeated for a guard that was not started at the first attempt
            terminate();
            if (System.nanoTime() - killAtNanos.getAsLong() >= 0) {
                killRemaining();
            }
        }
        return false;
    }

    /** Marks the run as failed and stops its remaining processes. */
    void fail() {
        fail("");
    }

    private void fail(String cause) {
        unrecordedFailure = Optional.of(cause);
        record();
        terminateWithin(spec.graceSeconds());
    }

    private boolean isAlive() {
        return started.stream().anyMatch(Process::isAlive)
                || spec.processes().stream().anyMatch(process -> folder.isAlive(process.rank()));
    }

    private boolean aProcessFailed() {
        return !isStopping() && codes(decisive()).stream().anyMatch(code -> code != 0);
    }

    /** Kills processes that still have the mark. Returns true if there were any. */
    private boolean killRemaining() {
        List<Long> remains = ProcessTable.carrying(MARK, mark());
        remains.forEach(process -> Signals.to(process, Signals.KILL));
        return !remains.isEmpty();
    }

    private void terminateWithin(double graceSeconds) {
        long at = System.nanoTime() + Math.round(graceSeconds * 1e9);
        if (killAtNanos.isEmpty() || at - killAtNanos.getAsLong() < 0) {
            killAtNanos = OptionalLong.of(at);
        }
        terminate();
    }

    /** Signals a change to every process. */
    void notifyProcesses() {
        for (RunSpec.ProcessSpec process : spec.processes()) {
            if (folder.isAlive(process.rank())) {
                folder.guard(process.rank()).ifPresent(guard -> Signals.toGroup(guard.pid(), Signals.URGENT));
            }
        }
    }

    /** Sends one SIGTERM to each process; a second one could end a training that saves a checkpoint. */
    private void terminate() {
        for (RunSpec.ProcessSpec process : spec.processes()) {
            if (!terminated.contains(process.rank()) && folder.isAlive(process.rank())) {
                folder.guard(process.rank()).ifPresent(guard -> Signals.toGroup(guard.pid(), Signals.TERM));
                terminated.add(process.rank());
            }
        }
    }
}

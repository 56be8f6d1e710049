package dev.spur.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Processes of one allocation on this node, from the moment that its devices are taken until nothing is left of them.
 */
public final class ProcessRun {
    /**
     * What its processes carry in their environment; by this they are found, whatever became of their guards. The id of
     * the assignment would not do: agents of two nodes on one machine may run parts of the same gang.
     */
    static final String MARK = "SPUR_REPORT_URL";

    /** Exit code of a process that was killed together with its guard. */
    private static final int KILLED = 137;

    private final RunSpec spec;
    private final RunFolder folder;
    private final List<Process> started = new ArrayList<>();
    private final Set<Integer> terminated = new HashSet<>();
    private boolean ended;
    private OptionalLong killAtNanos = OptionalLong.empty();

    ProcessRun(RunSpec spec, RunFolder folder) {
        this.spec = spec;
        this.folder = folder;
    }

    /** What became of a run. */
    public enum Phase {
        /** At least one process runs, and none was told to end. */
        RUNNING,
        /** Told to end, and not all have. */
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

    /** True if the program was told to end, by whomever; false if it ended, or will, by itself. */
    public boolean wasRequested() {
        return !folder.isMarkedFailed() && (isStopping() || folder.wasAsked());
    }

    /** Of its processes, the first code that is not 0; empty while none has ended. */
    public OptionalInt exitCode() {
        List<Integer> codes = spec.processes().stream()
                .map(process -> folder.exit(process.rank()))
                .flatMap(Optional::stream)
                .toList();
        if (codes.isEmpty()) {
            return ended ? OptionalInt.of(KILLED) : OptionalInt.empty();
        }
        boolean incomplete = ended && codes.size() < spec.processes().size();
        return OptionalInt.of(
                codes.stream().filter(code -> code != 0).findFirst().orElse(incomplete ? KILLED : 0));
    }

    /** Process id of its first guard, if that has begun. */
    public OptionalLong pid() {
        return folder.guard(spec.processes().get(0).rank())
                .map(guard -> OptionalLong.of(guard.pid()))
                .orElse(OptionalLong.empty());
    }

    /** The folder that the reporter of rank 0 writes to. */
    public Path report() {
        return folder.report();
    }

    /** The value of {@link #MARK}, another one for each run on this machine. */
    String mark() {
        return folder.report().toUri().toString();
    }

    /** Tells its processes where shards of gradients are summed from now on, as JSON. */
    public void tellAggregators(String json) {
        if (!json.equals(SmallFile.read(folder.aggregators()).orElse(""))) {
            SmallFile.write(folder.aggregators(), json);
        }
    }

    RunFolder folder() {
        return folder;
    }

    void started(Process process) {
        started.add(process);
    }

    private boolean isMarked() {
        return folder.isMarkedStop() || folder.isMarkedFailed();
    }

    private boolean isStopping() {
        return isMarked() || spec.processes().stream().anyMatch(process -> folder.hasLapsed(process.rank()));
    }

    /**
     * Tells every process to end, now by SIGTERM and after {@code graceSeconds} by SIGKILL. A second call can only
     * hasten it.
     */
    void stop(String reason, double graceSeconds) {
        if (ended) {
            return;
        }
        if (killAtNanos.isEmpty()) {
            folder.markStop(reason);
        }
        tellToEnd(graceSeconds);
    }

    /** Looks what is left, and moves on what is due. True if this found the end. */
    boolean look() {
        if (ended) {
            return false;
        }
        if (killAtNanos.isEmpty() && isMarked()) {
            // Told to end by an agent that was here before; its clock is gone, so the grace begins anew.
            tellToEnd(spec.graceSeconds());
        }
        if (!isAlive()) {
            ended = !endRemains();
            return ended;
        }
        if (killAtNanos.isEmpty() && aProcessFailed()) {
            // The others would wait for it in vain.
            fail();
        }
        if (killAtNanos.isPresent()) {
            // A guard that has only just begun was not there for the first time.
            terminate();
            if (System.nanoTime() - killAtNanos.getAsLong() >= 0) {
                endRemains();
            }
        }
        return false;
    }

    /** Notes that the run failed by itself, and tells what there is of it to end. */
    void fail() {
        folder.markFailed();
        tellToEnd(spec.graceSeconds());
    }

    private boolean isAlive() {
        return started.stream().anyMatch(Process::isAlive)
                || spec.processes().stream().anyMatch(process -> folder.isAlive(process.rank()));
    }

    private boolean aProcessFailed() {
        return !isStopping()
                && spec.processes().stream()
                        .anyMatch(process -> folder.exit(process.rank()).orElse(0) != 0);
    }

    /** Kills what still carries the mark; true if there was something. */
    private boolean endRemains() {
        List<Long> remains = ProcessTable.carrying(MARK, mark());
        remains.forEach(process -> Signals.to(process, Signals.KILL));
        return !remains.isEmpty();
    }

    private void tellToEnd(double graceSeconds) {
        long at = System.nanoTime() + Math.round(graceSeconds * 1e9);
        if (killAtNanos.isEmpty() || at - killAtNanos.getAsLong() < 0) {
            killAtNanos = OptionalLong.of(at);
        }
        terminate();
    }

    /** Tells every process that something has changed. */
    void nudge() {
        for (RunSpec.ProcessSpec process : spec.processes()) {
            if (folder.isAlive(process.rank())) {
                folder.guard(process.rank()).ifPresent(guard -> Signals.toGroup(guard.pid(), Signals.URGENT));
            }
        }
    }

    /** One SIGTERM for each process: a second one would end a training that saves. */
    private void terminate() {
        for (RunSpec.ProcessSpec process : spec.processes()) {
            if (!terminated.contains(process.rank()) && folder.isAlive(process.rank())) {
                folder.guard(process.rank()).ifPresent(guard -> Signals.toGroup(guard.pid(), Signals.TERM));
                terminated.add(process.rank());
            }
        }
    }
}

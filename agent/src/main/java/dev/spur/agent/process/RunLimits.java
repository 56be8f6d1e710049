package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Enforcement of the CPUs and memory of runs: by control groups, or else of CPUs by affinity, or none. */
final class RunLimits {
    private final Optional<ControlGroup> groups;
    private final Consumer<String> log;
    private @Nullable CpuAffinity affinity;

    RunLimits(Optional<ControlGroup> groups, Consumer<String> log) {
        this.groups = groups;
        this.log = log;
    }

    /** Restricts the CPUs of runs by {@code cpuAffinity}, where no control group limits them. */
    void restrictCpus(CpuAffinity cpuAffinity) {
        affinity = groups.isPresent() ? null : cpuAffinity;
    }

    /** Creates the control group of a run; empty without one. */
    Optional<Path> create(RunSpec spec) throws IOException {
        return groups.isPresent() ? groups.get().create(spec) : Optional.empty();
    }

    /** Returns the words before a command of {@code spec} that restrict its CPUs. */
    List<String> prefix(RunSpec spec) {
        return affinity == null ? List.of() : affinity.prefix(spec.id(), spec.cpus());
    }

    /**
     * Changes the limits of {@code run}, whose processes continue, to those of {@code after}.
     *
     * @throws UncheckedIOException if they cannot be changed
     */
    void change(ProcessRun run, RunSpec after) {
        try {
            if (groups.isPresent()) {
                groups.get().change(after);
            } else if (affinity != null) {
                String mark = run.folder().report().toUri().toString();
                affinity.apply(after.id(), after.cpus(), ProcessTable.carrying(ProcessRun.MARK, mark));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the CPU limit in the control group of {@code spec}, if there is one. */
    void limitCpus(RunSpec spec, double cpus) {
        try {
            create(spec.withCpus(cpus));
        } catch (IOException e) {
            log.accept("cannot change the CPU limit of %s: %s".formatted(spec.id(), e.getMessage()));
        }
    }

    /** Removes the limits of an ended run; returns whether the kernel has killed a process of it for lack of memory. */
    boolean remove(String id) {
        boolean killed = groups.filter(own -> own.hasKilledForMemory(id)).isPresent();
        if (affinity != null) {
            affinity.release(id);
        }
        try {
            if (groups.isPresent()) {
                groups.get().remove(id);
            }
        } catch (IOException e) {
            log.accept("cannot remove the control group of %s: %s".formatted(id, e.getMessage()));
        }
        return killed;
    }
}

package dev.spur.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * CPU and memory limits by control groups, version 2. Requires a folder below {@code /sys/fs/cgroup} that the agent may
 * write and that contains no process. Its parent must delegate the controllers cpu and memory. Otherwise there are no
 * limits.
 */
public final class ControlGroup {
    private static final long PERIOD_MICROS = 100_000;
    private static final double BYTES_PER_GIB = 1024.0 * 1024 * 1024;
    private static final String UNLIMITED = "max";
    private static final String CONTROLLERS = "cgroup.controllers";

    private final Path parent;

    private ControlGroup(Path parent) {
        this.parent = parent;
    }

    /**
     * Prepares {@code folder} and creates it if necessary.
     *
     * @throws IOException if it does not support limits; the message contains the cause
     */
    public static ControlGroup open(Path folder) throws IOException {
        if (!Files.exists(folder.resolveSibling(CONTROLLERS))) {
            throw new IOException("%s is not in a control group hierarchy of version 2".formatted(folder));
        }
        Files.createDirectories(folder);
        String known = Files.readString(folder.resolve(CONTROLLERS));
        if (!known.contains("cpu") || !known.contains("memory")) {
            throw new IOException(
                    "%s requires the controllers cpu and memory but has \"%s\"".formatted(folder, known.strip()));
        }
        Files.writeString(folder.resolve("cgroup.subtree_control"), "+cpu +memory");
        return new ControlGroup(folder);
    }

    /** Creates the group of a run; empty if the run has no limits. */
    Optional<Path> create(RunSpec run) throws IOException {
        if (run.cpus() <= 0 && run.memoryGiB() <= 0) {
            return Optional.empty();
        }
        Path group = Files.createDirectories(parent.resolve(run.id()));
        if (run.cpus() > 0) {
            long micros = Math.round(run.cpus() * PERIOD_MICROS);
            Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        }
        if (run.memoryGiB() > 0) {
            Files.writeString(group.resolve("memory.max"), Long.toString(Math.round(run.memoryGiB() * BYTES_PER_GIB)));
        }
        return Optional.of(group);
    }

    /**
     * Changes the limits of a running run. Less memory than before slows the run down while it uses more, and does not
     * end it.
     *
     * @throws IOException if the run was started without limits, or a limit cannot be written
     */
    void change(RunSpec run) throws IOException {
        Path group = parent.resolve(run.id());
        String cpus = run.cpus() > 0 ? Long.toString(Math.round(run.cpus() * PERIOD_MICROS)) : UNLIMITED;
        Files.writeString(group.resolve("cpu.max"), cpus + " " + PERIOD_MICROS);
        Path hard = group.resolve("memory.max");
        String limit = Files.exists(hard) ? Files.readString(hard).strip() : UNLIMITED;
        long bytes = Math.round(run.memoryGiB() * BYTES_PER_GIB);
        boolean shrinks = bytes > 0 && (limit.equals(UNLIMITED) || bytes < Long.parseLong(limit));
        if (!shrinks) {
            Files.writeString(hard, bytes > 0 ? Long.toString(bytes) : UNLIMITED);
        }
        Files.writeString(group.resolve("memory.high"), shrinks ? Long.toString(bytes) : UNLIMITED);
    }

    /** Returns true if the kernel has killed a process of the run for lack of memory. */
    boolean hasKilledForMemory(String run) {
        try {
            return Files.readAllLines(parent.resolve(run).resolve("memory.events")).stream()
                    .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
        } catch (IOException missing) {
            // the run has no limits
            return false;
        }
    }

    /** Removes the empty group of a run. */
    void remove(String run) throws IOException {
        Files.deleteIfExists(parent.resolve(run));
    }
}

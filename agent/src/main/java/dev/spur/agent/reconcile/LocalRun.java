package dev.spur.agent.reconcile;

import java.util.List;
import java.util.OptionalInt;

/**
 * A run on this node.
 *
 * @param id id of its assignment
 * @param devices devices held until the run ends
 * @param phase state of the run
 * @param exitCode first exit code other than 0 of its processes; empty before an end
 * @param requested true if a stop was requested
 * @param graceSeconds time for a checkpoint
 */
public record LocalRun(
        String id, List<String> devices, Phase phase, OptionalInt exitCode, boolean requested, double graceSeconds) {

    public LocalRun {
        devices = List.copyOf(devices);
    }

    /** State of a run. */
    public enum Phase {
        RUNNING,
        STOPPING,
        ENDED
    }

    boolean hasFailed() {
        return !requested && exitCode.orElse(0) != 0;
    }
}

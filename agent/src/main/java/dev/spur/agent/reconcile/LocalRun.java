package dev.spur.agent.reconcile;

import java.util.List;
import java.util.OptionalInt;

/**
 * A run as it is on this node.
 *
 * @param id id of its assignment
 * @param devices devices that it holds, unless it has ended
 * @param phase what became of it
 * @param exitCode of its processes the first that is not 0; empty while none has ended
 * @param requested true if it was told to end
 * @param graceSeconds time that it has for a checkpoint
 */
public record LocalRun(
        String id, List<String> devices, Phase phase, OptionalInt exitCode, boolean requested, double graceSeconds) {

    public LocalRun {
        devices = List.copyOf(devices);
    }

    /** What became of a run. */
    public enum Phase {
        RUNNING,
        STOPPING,
        ENDED
    }

    boolean hasFailed() {
        return !requested && exitCode.orElse(0) != 0;
    }
}

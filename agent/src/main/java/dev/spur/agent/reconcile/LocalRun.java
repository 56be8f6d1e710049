package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A run on this node.
 *
 * @param id id of its assignment
 * @param devices devices held until the run ends
 * @param deviceShare part of its device that it holds; null for whole devices
 * @param phase state of the run
 * @param exitCode first exit code other than 0 of its processes; empty before an end
 * @param requested true if a stop was requested
 * @param graceSeconds time for a checkpoint
 * @param warmUp whether its processes wait for the start
 * @param rescale number of the last change of the ranks that it has begun; 0 for none
 * @param adopted true if its training has adopted that change, which is not complete
 */
public record LocalRun(
        String id,
        List<String> devices,
        @Nullable Double deviceShare,
        Phase phase,
        OptionalInt exitCode,
        boolean requested,
        double graceSeconds,
        WarmUp warmUp,
        int rescale,
        boolean adopted) {

    public LocalRun {
        devices = List.copyOf(devices);
    }

    /** A run on whole devices whose processes do not wait for the start. */
    public LocalRun(
            String id,
            List<String> devices,
            Phase phase,
            OptionalInt exitCode,
            boolean requested,
            double graceSeconds) {
        this(id, devices, null, phase, exitCode, requested, graceSeconds, WarmUp.NONE, 0, false);
    }

    /** Progress of processes that were started before their run. */
    public enum WarmUp {
        /** The processes do not wait: the run has started. */
        NONE,
        WARMING,
        /** All processes wait for the start. */
        READY
    }

    /** State of a run. */
    public enum Phase {
        RUNNING,
        STOPPING,
        ENDED
    }

    /** Returns true if its ranks have left, and others join by a later change of the ranks of {@code assignment}. */
    boolean isReplacedBy(Assignment assignment) {
        return phase == Phase.ENDED
                && assignment.state().compareTo(AssignmentPhase.STARTING) < 0
                && assignment
                        .pendingChange()
                        .filter(change -> change.number() > rescale)
                        .isPresent();
    }

    boolean hasFailed() {
        return !requested && exitCode.orElse(0) != 0;
    }
}

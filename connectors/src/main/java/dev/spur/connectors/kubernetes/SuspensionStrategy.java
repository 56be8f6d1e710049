package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.util.List;

/** How jobs are held and let go. */
interface SuspensionStrategy {
    /** Takes the next step towards a job that is held and has no pods with GPUs. */
    StepOutcome hold(JobAction action, Workload job) throws IOException, InterruptedException, KubernetesRejection;

    /**
     * Takes the next step towards a job that runs where {@code action} says, and does not yet. {@code seen} is the job
     * as the action saw it.
     */
    StepOutcome run(JobAction action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, KubernetesRejection;

    /** Does what the mark of a job says and nothing in the cluster does by itself. Returns what does not come about. */
    default List<String> enforce(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        return List.of();
    }
}

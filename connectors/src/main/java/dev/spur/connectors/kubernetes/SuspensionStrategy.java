package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.util.List;

/** Strategy for holding and releasing jobs of a kind. */
interface SuspensionStrategy {
    /** Takes the next step toward a held job without pods that have GPUs. */
    StepOutcome hold(JobAction action, Workload job) throws IOException, InterruptedException, KubernetesRejection;

    /**
     * Takes the next step toward a job that runs with the placement of {@code action}. {@code observed} is the job as
     * observed.
     */
    StepOutcome run(JobAction action, Workload job, PlatformJob observed)
            throws IOException, InterruptedException, KubernetesRejection;

    /**
     * Enforces the last-applied state of a job where the cluster does not maintain it. Returns the messages of requests
     * without effect.
     */
    default List<String> enforce(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        return List.of();
    }
}

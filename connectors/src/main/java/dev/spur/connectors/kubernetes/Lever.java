package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.PlatformJob;
import java.io.IOException;
import java.util.List;

/** How jobs are held and let go. */
interface Lever {
    /** Takes the next step towards a job that is held and has no pods with GPUs. */
    Outcome hold(Action action, Workload job) throws IOException, InterruptedException, Refusal;

    /**
     * Takes the next step towards a job that runs where {@code action} says, and does not yet. {@code seen} is the job as the action saw
     * it.
     */
    Outcome run(Action action, Workload job, PlatformJob seen) throws IOException, InterruptedException, Refusal;

    /** Does what the mark of a job says and nothing in the cluster does by itself. Returns what does not come about. */
    default List<String> uphold(Workload job) throws IOException, InterruptedException, Refusal {
        return List.of();
    }
}

package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Job of a trace. Times are seconds since the start of the trace.
 *
 * @param id id, unique in the trace
 * @param arrival submission time, at least 0
 * @param tenant name of its tenant
 * @param deadline deadline; null for no deadline
 * @param requestedSlots slots that its user requested
 * @param aloneSeconds seconds from first to last progress on the requested slots, without other jobs and without
 *     restarts. Finish-time fairness is relative to it
 * @param truth simulated behavior of the job
 * @param viewModel information on the job that policies receive
 */
public record TraceJob(
        String id,
        double arrival,
        String tenant,
        @Nullable Double deadline,
        int requestedSlots,
        double aloneSeconds,
        GroundTruth truth,
        PolicyViewModel viewModel) {
    public TraceJob {
        Checks.nonBlank("id", id);
        Checks.nonBlank("tenant", tenant);
        Checks.atLeast("arrival", arrival, 0);
        Checks.atLeast("requestedSlots", requestedSlots, 1);
        Checks.positive("aloneSeconds", aloneSeconds);
    }

    /** Returns this job with other behavior, and with other information for policies. */
    public TraceJob with(GroundTruth otherTruth, PolicyViewModel otherViewModel) {
        return new TraceJob(id, arrival, tenant, deadline, requestedSlots, aloneSeconds, otherTruth, otherViewModel);
    }
}

package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobDependency;
import java.util.List;
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
 * @param dependencies dependencies on other jobs of the trace. The job arrives when they are met, not before
 *     {@code arrival}
 */
public record TraceJob(
        String id,
        double arrival,
        String tenant,
        @Nullable Double deadline,
        int requestedSlots,
        double aloneSeconds,
        GroundTruth truth,
        PolicyViewModel viewModel,
        List<JobDependency> dependencies) {
    public TraceJob {
        Checks.nonBlank("id", id);
        Checks.nonBlank("tenant", tenant);
        Checks.atLeast("arrival", arrival, 0);
        Checks.atLeast("requestedSlots", requestedSlots, 1);
        Checks.positive("aloneSeconds", aloneSeconds);
        dependencies = Checks.copy(dependencies);
    }

    /** Creates a job without dependencies. */
    public TraceJob(
            String id,
            double arrival,
            String tenant,
            @Nullable Double deadline,
            int requestedSlots,
            double aloneSeconds,
            GroundTruth truth,
            PolicyViewModel viewModel) {
        this(id, arrival, tenant, deadline, requestedSlots, aloneSeconds, truth, viewModel, List.of());
    }

    /** Returns this job with other behavior, and with other information for policies. */
    public TraceJob with(GroundTruth otherTruth, PolicyViewModel otherViewModel) {
        return new TraceJob(
                id, arrival, tenant, deadline, requestedSlots, aloneSeconds, otherTruth, otherViewModel, dependencies);
    }

    /** Returns this job with dependencies on other jobs. */
    public TraceJob after(List<JobDependency> others) {
        return new TraceJob(id, arrival, tenant, deadline, requestedSlots, aloneSeconds, truth, viewModel, others);
    }

    /** Returns this job with another arrival. */
    public TraceJob arrivingAt(double time) {
        return new TraceJob(id, time, tenant, deadline, requestedSlots, aloneSeconds, truth, viewModel, dependencies);
    }
}

package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A job of a trace. Times are seconds since the start of the trace.
 *
 * @param id unique in the trace
 * @param arrival when it is submitted, at least 0
 * @param tenant name of its tenant
 * @param deadline when it must be done; null for no deadline
 * @param requestedSlots slots that its user asked for
 * @param aloneSeconds how long it takes from first to last progress on the slots asked for, alone and without any
 *     restart; finish-time fairness is measured by it
 * @param truth how it really runs
 * @param insight what policies are told of it
 */
public record TraceJob(
        String id,
        double arrival,
        String tenant,
        @Nullable Double deadline,
        int requestedSlots,
        double aloneSeconds,
        GroundTruth truth,
        PolicyViewModel insight) {
    public TraceJob {
        Checks.named("id", id);
        Checks.named("tenant", tenant);
        Checks.atLeast("arrival", arrival, 0);
        Checks.atLeast("requestedSlots", requestedSlots, 1);
        Checks.positive("aloneSeconds", aloneSeconds);
    }
}

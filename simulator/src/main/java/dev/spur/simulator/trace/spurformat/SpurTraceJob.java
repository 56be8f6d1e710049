package dev.spur.simulator.trace.spurformat;

import org.jspecify.annotations.Nullable;

/**
 * A job.
 *
 * @param id unique id
 * @param arrival when it is submitted, seconds since the start of the trace
 * @param model name of the model that it trains
 * @param samples effective samples to do
 * @param requestedSlots slots that its user asked for
 * @param minSlots fewest slots; null for the slots asked for
 * @param maxSlots most slots; null for the slots asked for
 * @param powersOfTwo true if it runs only on powers of two; null for false
 * @param tenant name of its tenant; null for {@code root}
 * @param deadline when it must be done, seconds since the start of the trace; null for no deadline
 */
record SpurTraceJob(
        String id,
        double arrival,
        String model,
        double samples,
        int requestedSlots,
        @Nullable Integer minSlots,
        @Nullable Integer maxSlots,
        @Nullable Boolean powersOfTwo,
        @Nullable String tenant,
        @Nullable Double deadline) {}

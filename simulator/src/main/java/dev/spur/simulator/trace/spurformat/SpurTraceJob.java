package dev.spur.simulator.trace.spurformat;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobDependency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Job of a trace file.
 *
 * @param id unique id
 * @param arrival submission time, seconds since the start of the trace
 * @param model name of the model that it trains
 * @param samples effective samples to do
 * @param requestedSlots slots that its user requested
 * @param minSlots minimum number of slots; null for the requested slots
 * @param maxSlots maximum number of slots; null for the requested slots
 * @param powersOfTwo true if it runs only on powers of two; null for false
 * @param deviceShare share of one device that it takes, as of {@link Elasticity}; null for whole devices
 * @param tenant name of its tenant; null for {@code root}
 * @param estimatedSamples samples that policies assume; null if they know {@code samples}
 * @param deadline deadline, seconds since the start of the trace; null for no deadline
 * @param revenue money that it earns when it is done; null for none
 * @param dependsOn dependencies on other jobs of the trace; null for none
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
        @Nullable Double deviceShare,
        @Nullable String tenant,
        @Nullable Double estimatedSamples,
        @Nullable Double deadline,
        @Nullable Double revenue,
        @Nullable List<JobDependency> dependsOn) {}

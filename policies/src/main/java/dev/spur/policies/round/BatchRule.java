package dev.spur.policies.round;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.worth.Goodput;
import java.util.OptionalInt;

/** How a policy chooses the batch size of a job whose slots it has chosen. */
public enum BatchRule {
    /** The batch size that the user tuned the job for, or the nearest that the slots allow. */
    USER {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            BatchLimits limits = spec.batch();
            int most = limits.largest(type, slots);
            int batch = Math.min(most, Math.max(limits.initial(), slots));
            return limits.allows(batch, type, slots) ? OptionalInt.of(batch) : OptionalInt.empty();
        }
    },
    /** Exactly the batch size that the user tuned the job for: on slots that do not hold it, the job does not run. */
    FIXED {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            int batch = spec.batch().initial();
            return spec.batch().allows(batch, type, slots) ? OptionalInt.of(batch) : OptionalInt.empty();
        }
    },
    /** The batch size with the highest goodput. */
    BEST {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            return Goodput.bestBatch(spec, type, slots, nodes, strategy, aggregation);
        }
    };

    /** The batch size on {@code slots} devices of {@code type}; empty if none is allowed. */
    abstract OptionalInt batch(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation);
}

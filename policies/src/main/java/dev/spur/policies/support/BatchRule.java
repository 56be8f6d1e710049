package dev.spur.policies.support;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import java.util.OptionalInt;

/** Rule by which a policy chooses the batch size for a given number of slots. */
public enum BatchRule {
    /** The user's batch size, or the nearest one that fits the slots. */
    USER {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            return nearest(spec.plannedBatch(), type, slots);
        }
    },
    /** The user's batch size, rounded to equal shares; a job does not run on slots that cannot hold it. */
    FIXED {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            BatchLimits limits = spec.plannedBatch();
            return limits.initial() <= limits.largest(type, slots) ? nearest(limits, type, slots) : OptionalInt.empty();
        }
    },
    /** The batch size with the highest goodput. */
    BEST {
        @Override
        OptionalInt batch(JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
            return Goodput.bestBatch(spec, type, slots, nodes, strategy, aggregation);
        }
    };

    private static OptionalInt nearest(BatchLimits limits, String type, int slots) {
        int initial = limits.initial();
        if (limits.allows(initial, type, slots)) {
            return OptionalInt.of(initial);
        }
        OptionalInt above = limits.atLeast(initial, type, slots);
        return above.isPresent() ? above : limits.atMost(initial, type, slots);
    }

    /** Returns the batch size on {@code slots} devices of {@code type}; empty if none is allowed. */
    abstract OptionalInt batch(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation);
}

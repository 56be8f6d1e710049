package dev.spur.service.outcomes;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outcomes of a time range. Members as in the contract. */
record OutcomeReport(
        Instant since, Instant until, TenantOutcome total, List<TenantOutcome> tenants, List<SlotUtilization> slots) {
    OutcomeReport {
        tenants = List.copyOf(tenants);
        slots = List.copyOf(slots);
    }

    /** Outcomes of the training jobs of a tenant. Members as in the contract. */
    record TenantOutcome(
            @Nullable String tenant,
            JobCounts jobs,
            Spread queueingDelaySeconds,
            Spread jctSeconds,
            Spread slowdown,
            @Nullable Double trainingEfficiency,
            Spread jobTrainingEfficiency,
            long restarts,
            Spread restartStallSeconds,
            double heldSlotHours,
            double usefulSlotHours,
            double cost,
            double revenue,
            double profit,
            DeadlineCounts deadlines) {}

    /** Numbers of jobs that were submitted, first started, and ended in the range. */
    record JobCounts(long submitted, long started, long done, long failed, long canceled) {}

    /** Numbers of deadlines that were met and missed. */
    record DeadlineCounts(long met, long missed) {}

    /** Mean and percentiles of a value, with linear interpolation; null without values. Members as in the contract. */
    record Spread(
            long count,
            @Nullable Double mean,
            @Nullable Double p50,
            @Nullable Double p90,
            @Nullable Double p99) {
        static final Spread NONE = new Spread(0, null, null, null, null);
    }

    /** Utilization of the slots of one type. Members as in the contract. */
    record SlotUtilization(
            String acceleratorType,
            double totalSlotHours,
            double heldSlotHours,
            double usefulSlotHours,
            @Nullable Double heldUtilization,
            @Nullable Double usefulUtilization,
            @Nullable Double gpuUtilization) {}
}

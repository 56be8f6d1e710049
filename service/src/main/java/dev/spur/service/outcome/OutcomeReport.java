package dev.spur.service.outcome;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of a time range.
 *
 * @param since start of the range, inclusive
 * @param until end of the range, exclusive
 * @param total outcomes of all tenants that the caller sees
 * @param tenants outcomes of each tenant with jobs in the range, each without its descendants
 * @param slots utilization by accelerator type
 */
record OutcomeReport(
        Instant since, Instant until, TenantOutcome total, List<TenantOutcome> tenants, List<SlotUtilization> slots) {
    OutcomeReport {
        tenants = List.copyOf(tenants);
        slots = List.copyOf(slots);
    }

    /**
     * Outcomes of the training jobs of a tenant.
     *
     * @param tenant name of the tenant; null for all
     * @param jobs numbers of jobs
     * @param queueingDelaySeconds time from submission to first start, of jobs that first started in the range
     * @param jctSeconds job completion time: from submission to end, of jobs that completed in the range
     * @param slowdown job completion time divided by the time of the work in the fastest allowed configuration
     * @param trainingEfficiency achieved goodput per slot divided by the highest one, of jobs that ended in the range,
     *     weighted by slot-time; null without such jobs
     * @param jobTrainingEfficiency the same by job
     * @param restarts starts in the range after the first of their job
     * @param restartStallSeconds time from a restart to the first progress
     * @param heldSlotHours slot-hours in the range that plans allocated
     * @param usefulSlotHours held slot-hours after the first progress of their generation
     * @param cost held slot-hours multiplied by the current price of a slot of their node
     * @param deadlines deadlines in the range
     */
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
            DeadlineCounts deadlines) {}

    /** Numbers of jobs that were submitted, first started, and ended in the range. */
    record JobCounts(long submitted, long started, long done, long failed, long canceled) {}

    /** Numbers of deadlines that were met and missed. */
    record DeadlineCounts(long met, long missed) {}

    /**
     * Mean and percentiles of a value, with linear interpolation; null without values.
     *
     * @param count number of values
     */
    record Spread(
            long count,
            @Nullable Double mean,
            @Nullable Double p50,
            @Nullable Double p90,
            @Nullable Double p99) {
        static final Spread NONE = new Spread(0, null, null, null, null);
    }

    /**
     * Utilization of the slots of one type, from the first record of their number in the range on.
     *
     * @param totalSlotHours slot-hours of all nodes that were not lost
     * @param heldSlotHours slot-hours that jobs of the tenants of the caller held
     * @param usefulSlotHours those after the first progress of their generation
     * @param heldUtilization held divided by total; null without slots
     * @param usefulUtilization useful divided by total; null without slots
     * @param gpuUtilization mean utilization of the GPUs that jobs held, from 0 to 1; null where no agent reports it
     */
    record SlotUtilization(
            String acceleratorType,
            double totalSlotHours,
            double heldSlotHours,
            double usefulSlotHours,
            @Nullable Double heldUtilization,
            @Nullable Double usefulUtilization,
            @Nullable Double gpuUtilization) {}
}

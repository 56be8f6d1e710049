package dev.spur.solver.explain;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.round.PendingReason;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupUsage;
import dev.spur.solver.quota.SlotUnits;
import dev.spur.solver.resource.ResourceKey.Aggregation;
import dev.spur.solver.resource.ResourceKey.GroupJobs;
import dev.spur.solver.resource.ResourceKey.GroupSlots;
import dev.spur.solver.resource.ResourceKey.QuotaSlots;
import dev.spur.solver.resource.ResourceKey.Reported;
import dev.spur.solver.resource.ResourceKey.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Pending reason with the constraint that binds.
 *
 * @param reason the reason
 * @param reportedResource resource that binds; null if none does
 * @param needed minimum demand of the job
 * @param free free amount
 */
record BindingConstraint(
        PendingReason reason,
        @Nullable Reported reportedResource,
        @Nullable Double needed,
        @Nullable Double free) {
    static BindingConstraint plain(PendingReason reason) {
        return new BindingConstraint(reason, null, null, null);
    }

    static BindingConstraint quota(String tenant, Candidate smallestCandidate) {
        Reported reportedResource =
                new QuotaSlots(tenant, smallestCandidate.configuration().acceleratorType());
        return new BindingConstraint(PendingReason.QUOTA_EXCEEDED, reportedResource, smallestCandidate.devices(), null);
    }

    /** Returns the cap of the job's group: on jobs if no more may run, on slots otherwise. */
    static BindingConstraint group(
            GroupCaps.Cap cap, Candidate smallestCandidate, GroupUsage groupUsage, SlotUnits units) {
        long jobs = groupUsage.jobsLeft(cap);
        return jobs < 1
                ? new BindingConstraint(
                        PendingReason.GROUP_LIMIT, new GroupJobs(cap.name()), 1.0, (double) Math.max(0, jobs))
                : new BindingConstraint(
                        PendingReason.GROUP_LIMIT,
                        new GroupSlots(cap.name()),
                        smallestCandidate.devices(),
                        Math.max(0, units.slots(groupUsage.slotsLeft(cap))));
    }

    static BindingConstraint aggregation(Candidate candidate, long free) {
        Reported reportedResource = new Aggregation(candidate.configuration().pool());
        double needed = candidate.configuration().aggregationSlots();
        return new BindingConstraint(
                PendingReason.INSUFFICIENT_AGGREGATION_SLOTS, reportedResource, needed, Math.max(0, free) / 1000.0);
    }

    static BindingConstraint slots(PendingReason reason, Candidate candidate, int free) {
        return slots(reason, candidate.configuration(), free);
    }

    /** Returns the reservation for the starving job. */
    static BindingConstraint ofOrder(Configuration configuration, int free) {
        return slots(PendingReason.HOLDERS_PROTECTED, configuration, free);
    }

    private static BindingConstraint slots(PendingReason reason, Configuration configuration, int free) {
        return new BindingConstraint(
                reason, new Slots(NodeClassName.of(configuration)), (double) configuration.slots(), (double) free);
    }
}

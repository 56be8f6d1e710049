package dev.spur.solver.explain;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.round.PendingReason;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.constraint.ResourceKey.Aggregation;
import dev.spur.solver.constraint.ResourceKey.GroupJobs;
import dev.spur.solver.constraint.ResourceKey.GroupSlots;
import dev.spur.solver.constraint.ResourceKey.QuotaSlots;
import dev.spur.solver.constraint.ResourceKey.Reported;
import dev.spur.solver.constraint.ResourceKey.Slots;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupUsage;
import org.jspecify.annotations.Nullable;

/**
 * Pending reason with the constraint that binds.
 *
 * @param token the reason
 * @param resource resource that binds; null if none does
 * @param needed minimum demand of the job
 * @param free free amount
 */
record BindingConstraint(
        PendingReason token,
        @Nullable Reported resource,
        @Nullable Double needed,
        @Nullable Double free) {
    static BindingConstraint plain(PendingReason token) {
        return new BindingConstraint(token, null, null, null);
    }

    static BindingConstraint quota(String tenant, Candidate smallest) {
        Reported resource = new QuotaSlots(tenant, smallest.configuration().acceleratorType());
        return new BindingConstraint(PendingReason.QUOTA_EXCEEDED, resource, (double) smallest.slots(), null);
    }

    /** Returns the cap of the job's group: on jobs if no more may run, on slots otherwise. */
    static BindingConstraint group(GroupCaps.Cap cap, Candidate smallest, GroupUsage left) {
        long jobs = left.jobsLeft(cap);
        return jobs < 1
                ? new BindingConstraint(
                        PendingReason.GROUP_LIMIT, new GroupJobs(cap.name()), 1.0, (double) Math.max(0, jobs))
                : new BindingConstraint(
                        PendingReason.GROUP_LIMIT, new GroupSlots(cap.name()), (double) smallest.slots(), (double)
                                Math.max(0, left.slotsLeft(cap)));
    }

    static BindingConstraint aggregation(Candidate candidate, long free) {
        Reported resource = new Aggregation(candidate.configuration().pool());
        double needed = candidate.configuration().aggregationSlots();
        return new BindingConstraint(
                PendingReason.INSUFFICIENT_AGGREGATION_SLOTS, resource, needed, Math.max(0, free) / 1000.0);
    }

    static BindingConstraint slots(PendingReason token, Candidate candidate, int free) {
        return slots(token, candidate.configuration(), free);
    }

    /** Returns the reservation for the starving job. */
    static BindingConstraint ofOrder(Configuration configuration, int free) {
        return slots(PendingReason.HOLDERS_PROTECTED, configuration, free);
    }

    private static BindingConstraint slots(PendingReason token, Configuration configuration, int free) {
        return new BindingConstraint(
                token, new Slots(NodeClassName.of(configuration)), (double) configuration.slots(), (double) free);
    }
}

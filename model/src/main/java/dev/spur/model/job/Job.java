package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.allocation.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A job as a round sees it. Times are seconds on the clock of the problem.
 *
 * @param id unique id
 * @param tenant name of its tenant
 * @param arrival when it was submitted
 * @param spec what was asked for
 * @param remainingSamples useful samples still to do, at least 0
 * @param deadline when it must be done; null for no deadline
 * @param deadlineStatus what was said about the deadline
 * @param history what it has had so far
 * @param allocation what it holds; null if it waits
 * @param profilingTarget shape in which it is to be measured now, if others leave it that; null for none
 */
public record Job(
        String id,
        String tenant,
        double arrival,
        JobSpec spec,
        double remainingSamples,
        @Nullable Double deadline,
        DeadlineStatus deadlineStatus,
        ServiceHistory history,
        @Nullable Allocation allocation,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ProfilingTarget profilingTarget) {
    @JsonCreator
    public Job {
        Checks.named("id", id);
        Checks.named("tenant", tenant);
        Checks.atLeast("remainingSamples", remainingSamples, 0);
        Checks.require(
                (deadline == null) == (deadlineStatus == DeadlineStatus.NONE),
                "promise (%s) of job %s does not fit its deadline (%s)",
                deadlineStatus,
                id,
                deadline);
    }

    /** A job that is not to be measured. */
    public Job(
            String id,
            String tenant,
            double arrival,
            JobSpec spec,
            double remainingSamples,
            @Nullable Double deadline,
            DeadlineStatus deadlineStatus,
            ServiceHistory history,
            @Nullable Allocation allocation) {
        this(id, tenant, arrival, spec, remainingSamples, deadline, deadlineStatus, history, allocation, null);
    }

    /** Seconds since it last held slots, or since its arrival; 0 while it holds some. */
    public double waited(double now) {
        return allocation == null ? Math.max(0, now - history.waitingSince()) : 0;
    }

    /**
     * True if its allocation may not be touched at {@code now}: inside its minimum run time or in the middle of a
     * restart.
     */
    public boolean isProtectedAt(double now) {
        return allocation != null
                && now - allocation.since() < Math.max(spec.minRunSeconds(), spec.restartPenaltySeconds());
    }

    /** Seconds at {@code now} until the restart with which its allocation began is over; 0 if it waits. */
    public double restartSecondsLeft(double now) {
        return allocation == null ? 0 : Math.max(0, allocation.since() + spec.restartPenaltySeconds() - now);
    }

    /** This job holding {@code other}. */
    public Job withAllocation(@Nullable Allocation other) {
        return new Job(
                id, tenant, arrival, spec, remainingSamples, deadline, deadlineStatus, history, other, profilingTarget);
    }

    /** The same job with another specification; what remains to be done stays. */
    public Job withSpec(JobSpec other) {
        return new Job(
                id,
                tenant,
                arrival,
                other,
                remainingSamples,
                deadline,
                deadlineStatus,
                history,
                allocation,
                profilingTarget);
    }
}

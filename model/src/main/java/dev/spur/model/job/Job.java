package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.allocation.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A job in a round. Times are seconds on the clock of the problem.
 *
 * @param id unique id
 * @param tenant name of its tenant
 * @param arrival time of its submission
 * @param spec its specification
 * @param remainingSamples remaining effective samples, at least 0
 * @param deadline time by which it must finish; null for no deadline
 * @param deadlineStatus status of its deadline
 * @param history service received so far
 * @param allocation its allocation; null if it waits
 * @param profilingTarget configuration in which it is to be measured now, if resources permit; null for none
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
        Checks.nonBlank("id", id);
        Checks.nonBlank("tenant", tenant);
        Checks.atLeast("remainingSamples", remainingSamples, 0);
        Checks.require(
                (deadline == null) == (deadlineStatus == DeadlineStatus.NONE),
                "deadlineStatus (%s) of job %s is inconsistent with its deadline (%s)",
                deadlineStatus,
                id,
                deadline);
    }

    /** A job without a profiling target. */
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

    /** Multiple of the stall of a restart that a stint lasts at least: stalls take at most 5 % of it. */
    private static final double STALLS_PER_STINT = 20;

    /** Returns the seconds for which it must hold slots so that the stall of its start has paid off. */
    public double stintSeconds() {
        return Math.max(spec.minRunSeconds(), STALLS_PER_STINT * spec.restartPenaltySeconds());
    }

    /** Returns {@link ServiceHistory#unservedSince()} if its allocation ends at {@code time}. */
    public double unservedSinceAfter(double time) {
        return allocation != null && time - allocation.since() >= stintSeconds() ? time : history.unservedSince();
    }

    /** Returns the seconds since it last held slots, or since its arrival; 0 while it holds any. */
    public double waitingSeconds(double now) {
        return allocation == null ? Math.max(0, now - history.waitingSince()) : 0;
    }

    /** Returns the seconds from {@code now} until the restart at the start of its allocation is over; 0 if it waits. */
    public double restartSecondsLeft(double now) {
        return allocation == null ? 0 : Math.max(0, allocation.since() + spec.restartPenaltySeconds() - now);
    }

    /**
     * Returns the seconds with slots from {@code now} until the time limit; infinite without a limit. The current start
     * counts from the last change of the allocation.
     */
    public double secondsToLimit(double now) {
        TimeLimit limit = spec.timeLimit();
        return limit == null ? Double.POSITIVE_INFINITY : limit.secondsLeft(history.runSeconds(), startSeconds(now));
    }

    /** Returns the seconds with slots from {@code now} until a time limit ends the job; infinite if none does. */
    public double secondsToEndByLimit(double now) {
        return spec.secondsToEndByLimit(history.runSeconds(), startSeconds(now));
    }

    private double startSeconds(double now) {
        return allocation == null ? 0 : Math.max(0, now - allocation.since());
    }

    /**
     * Returns the seconds from {@code now} until the job releases its slots, if it keeps {@code goodput}, effective
     * samples per second: by the end of its work, or by its time limit. A stop by the limit takes at most the stall of
     * a restart. Infinite without goodput and limit.
     *
     * @param stallSeconds seconds without progress that come first
     */
    public double secondsToRelease(double goodput, double stallSeconds, double now) {
        double work = goodput > 0 ? stallSeconds + remainingSamples / goodput : Double.POSITIVE_INFINITY;
        return Math.min(work, secondsToLimit(now) + spec.restartPenaltySeconds());
    }

    /** Returns how the job adopts {@code givenAllocation}; a waiting job starts, which is a {@code RESTART}. */
    public ChangeMechanism changeTo(Allocation givenAllocation) {
        return spec.change(allocation, givenAllocation);
    }

    /**
     * Returns true if a change by {@code mechanism} is a restart: the training does not continue, and has run before.
     */
    public boolean isRestart(ChangeMechanism mechanism) {
        return !mechanism.keepsGeneration() && history.firstStart() != null;
    }

    /** Returns the seconds from {@code now} until the first progress with {@code allocation}. */
    public double secondsToProgress(Allocation allocation, double now) {
        return secondsToProgress(changeTo(allocation), now);
    }

    /**
     * Returns the seconds from {@code now} until the first progress after a change. The rest of an earlier restart
     * comes first if the training continues. A move counts as a restart, which it is if its warm-up fails.
     */
    public double secondsToProgress(ChangeMechanism mechanism, double now) {
        double earlier = mechanism.keepsGeneration() ? restartSecondsLeft(now) : 0;
        return earlier + spec.stallSeconds(mechanism == ChangeMechanism.MIGRATE ? ChangeMechanism.RESTART : mechanism);
    }

    /** Returns this job without its allocation, which ends at {@code time}; the same job if it waits. */
    public Job withoutAllocationSince(double time) {
        return allocation == null
                ? this
                : new Job(
                        id,
                        tenant,
                        arrival,
                        spec,
                        remainingSamples,
                        deadline,
                        deadlineStatus,
                        new ServiceHistory(
                                history.attainedService(),
                                history.runSeconds(),
                                history.restarts(),
                                history.firstStart(),
                                time,
                                unservedSinceAfter(time),
                                0),
                        null,
                        profilingTarget);
    }

    /** Returns this job with the allocation {@code other}. */
    public Job withAllocation(@Nullable Allocation other) {
        return new Job(
                id, tenant, arrival, spec, remainingSamples, deadline, deadlineStatus, history, other, profilingTarget);
    }

    /** Returns this job with another specification and the same remaining work. */
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

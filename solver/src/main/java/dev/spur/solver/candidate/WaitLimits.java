package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Utility;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the waits of jobs, and the stints that follow a long wait.
 *
 * <p>A job is overdue when it has waited for the wait limit factor times its time alone, at least for a stint. Without
 * a factor it is overdue after the starvation limit. Overdue jobs precede the objective. A job that starts overdue runs
 * for a quarter of the time that it has waited, at least for a stint, at most for its wait limit. A longer run would
 * let a gang of most slots delay all jobs that arrive meanwhile (./spur bench reality). A stop before the end of a
 * stint does not end the wait, so that the job is overdue again at once.
 */
public final class WaitLimits {
    /** Share of its wait for which a job that starts overdue keeps running. */
    private static final double STINT_SHARE = 0.25;

    private final double now;
    private final double maxSeconds;
    private final @Nullable Double factor;
    private final Utility utility;

    public WaitLimits(RoundProblem problem, Utility utility) {
        this.now = problem.now();
        this.maxSeconds = problem.settings().starvationLimitSeconds();
        this.factor = problem.settings().waitLimitFactor();
        this.utility = utility;
    }

    /** Returns the wait after which {@code job} is overdue, seconds. */
    public double seconds(Job job) {
        double alone = factor == null ? Double.POSITIVE_INFINITY : factor * utility.secondsAlone(job);
        return Double.isInfinite(alone) ? maxSeconds : Math.max(job.stintSeconds(), alone);
    }

    /** Returns whether the waiting {@code job} is overdue. */
    public boolean isOverdue(Job job) {
        return job.allocation() == null && exceedsLimit(job, now - job.history().unservedSince());
    }

    /** Returns the time at which the waiting {@code job} is overdue. */
    public double overdueAt(Job job) {
        return job.history().unservedSince() + seconds(job);
    }

    /** Returns the end of the stint of the running {@code job}; its start if it did not start overdue. */
    public double stintEnd(Job job, Allocation heldAllocation) {
        double waited = heldAllocation.since() - job.history().unservedSince();
        return heldAllocation.since()
                + (exceedsLimit(job, waited)
                        ? Math.max(job.stintSeconds(), Math.min(STINT_SHARE * waited, seconds(job)))
                        : 0);
    }

    private boolean exceedsLimit(Job job, double waited) {
        boolean mayExceed = waited >= Math.min(maxSeconds, job.stintSeconds());
        return mayExceed && waited >= seconds(job);
    }

    /** Returns whether {@code job} started overdue and its stint has not ended. */
    public boolean isInStint(Job job) {
        Allocation heldAllocation = job.allocation();
        return heldAllocation != null && now < stintEnd(job, heldAllocation);
    }
}

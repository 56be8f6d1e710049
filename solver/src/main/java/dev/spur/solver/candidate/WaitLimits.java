package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Utility;

/**
 * Limits on the waits of jobs, and the stints that follow a long wait.
 *
 * <p>A job is overdue when it has waited longer than twice its time alone, at least 20 restarts, at most the starvation
 * limit. Overdue jobs precede the objective. A job that starts overdue keeps its slots for a stint: as long as it has
 * waited, at least 20 restarts. A stop before that does not end the wait, so that the job is overdue again at once.
 */
public final class WaitLimits {
    /** Wait in multiples of the time that the job takes alone in its fastest configuration. */
    private static final double TIMES_ALONE = 2;

    private final double now;
    private final double maxSeconds;
    private final Utility utility;

    public WaitLimits(RoundProblem problem, Utility utility) {
        this.now = problem.now();
        this.maxSeconds = problem.settings().starvationLimitSeconds();
        this.utility = utility;
    }

    /** Returns the wait after which {@code job} is overdue, seconds. */
    public double seconds(Job job) {
        return Math.min(maxSeconds, Math.max(job.stintSeconds(), TIMES_ALONE * utility.secondsAlone(job)));
    }

    /** Returns whether the waiting {@code job} is overdue. */
    public boolean isOverdue(Job job) {
        double waited = now - job.history().unservedSince();
        return job.allocation() == null
                && waited >= Math.min(maxSeconds, job.stintSeconds())
                && waited >= seconds(job);
    }

    /** Returns the time at which the waiting {@code job} is overdue. */
    public double overdueAt(Job job) {
        return job.history().unservedSince() + seconds(job);
    }

    /** Returns the end of the stint of the running {@code job}; its start if it did not start overdue. */
    public double stintEnd(Job job, Allocation held) {
        double waited = held.since() - job.history().unservedSince();
        boolean startedOverdue = waited >= Math.min(maxSeconds, job.stintSeconds()) && waited >= seconds(job);
        return held.since() + (startedOverdue ? Math.max(job.stintSeconds(), waited) : 0);
    }

    /** Returns whether {@code job} started overdue and its stint has not ended. */
    public boolean isInStint(Job job) {
        Allocation held = job.allocation();
        return held != null && now < stintEnd(job, held);
    }
}

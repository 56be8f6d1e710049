package dev.spur.model.round;

import dev.spur.model.job.Job;
import dev.spur.model.job.PreemptionPolicy;
import java.util.List;

/**
 * Which running jobs a round must leave unchanged: those that are not preemptible, and those that started recently.
 *
 * <p>A start is protected for {@link dev.spur.model.job.JobSpec#protectionSeconds()}. Against waiting jobs of a higher
 * class that may preempt, only the minimum run time counts.
 */
public final class JobPins {
    private final double now;
    private final int maxWaitingPriority;

    private JobPins(double now, int maxWaitingPriority) {
        this.now = now;
        this.maxWaitingPriority = maxWaitingPriority;
    }

    /** Returns the pins of the round of {@code problem}. */
    public static JobPins of(RoundProblem problem) {
        return of(problem.now(), problem.jobs());
    }

    /** Returns the pins of a round at {@code now} with these running and waiting jobs. */
    public static JobPins of(double now, List<Job> jobs) {
        int max = jobs.stream()
                .filter(job -> job.allocation() == null && job.spec().preemptionPolicy() != PreemptionPolicy.NEVER)
                .mapToInt(job -> job.spec().priority())
                .max()
                .orElse(Integer.MIN_VALUE);
        return new JobPins(now, max);
    }

    /** Returns true if {@code job} runs and may not be stopped, moved or resized. */
    public boolean isPinned(Job job) {
        if (job.allocation() == null) {
            return false;
        }
        double seconds = job.spec().priority() < maxWaitingPriority
                ? job.spec().minRunSeconds()
                : job.spec().protectionSeconds();
        return !job.spec().preemptible() || now - job.allocation().since() < seconds;
    }
}

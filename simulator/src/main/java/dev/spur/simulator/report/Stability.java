package dev.spur.simulator.report;

import dev.spur.model.job.Elasticity;
import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Restarts, short allocations and waits of a replay. A job is rigid if it runs on one number of slots only.
 *
 * @param rigidJobs number of rigid jobs
 * @param restartsOfRigidJobs starts after the first, of all rigid jobs
 * @param allocations number of allocations, of all jobs
 * @param shortAllocations allocations that last less than twice the restart cost of their job. Those that end with the
 *     completion of the job or with the replay do not count
 * @param longestWaitSeconds longest time from the arrival of a job to its first progress. The last time without
 *     progress of a job that never makes any is the end of the replay
 * @param longestIdleSeconds longest time that one job is without slots in all, from its arrival to its completion or
 *     the end of the replay
 */
public record Stability(
        int rigidJobs,
        int restartsOfRigidJobs,
        int allocations,
        int shortAllocations,
        double longestWaitSeconds,
        double longestIdleSeconds) {

    /**
     * Returns the figures of {@code replay}.
     *
     * @param trace trace of the replay
     * @param end end of the replay, seconds since the start of the trace
     */
    public static Stability of(Trace trace, Replay replay, double end) {
        Map<String, TraceJob> jobs = trace.jobs().stream().collect(Collectors.toMap(TraceJob::id, Function.identity()));
        Map<String, List<AllocationInterval>> intervals =
                replay.allocationIntervals().stream().collect(Collectors.groupingBy(AllocationInterval::jobId));
        int rigid = 0;
        int restarts = 0;
        int brief = 0;
        double wait = 0;
        double idle = 0;
        for (JobOutcome outcome : replay.jobs()) {
            TraceJob job = Objects.requireNonNull(jobs.get(outcome.id()));
            List<AllocationInterval> ownIntervals = intervals.getOrDefault(outcome.id(), List.of());
            if (isRigid(job)) {
                rigid++;
                restarts += outcome.restarts();
            }
            double until = outcome.end() == null ? end : outcome.end();
            brief += shortAllocations(ownIntervals, job.truth().startSeconds(false), until);
            wait = Math.max(wait, firstProgress(ownIntervals, job.truth(), until) - outcome.arrival());
            idle = Math.max(idle, until - outcome.arrival() - heldSeconds(ownIntervals));
        }
        return new Stability(rigid, restarts, replay.allocationIntervals().size(), brief, wait, idle);
    }

    /** Returns true if the job runs on one number of slots only. */
    public static boolean isRigid(TraceJob job) {
        Elasticity elasticity = job.viewModel().after(RunHistory.NONE).spec().elasticity();
        return elasticity.minSlots() == elasticity.maxSlots();
    }

    /** Returns the number of allocations shorter than twice {@code restartSeconds} that end before {@code end}. */
    static int shortAllocations(List<AllocationInterval> ownIntervals, double restartSeconds, double end) {
        return (int) ownIntervals.stream()
                .filter(interval -> interval.end() < end)
                .filter(interval -> interval.end() - interval.start() < 2 * restartSeconds)
                .count();
    }

    /**
     * Returns the time of the first progress: the stall of a start after the begin of the first allocation that
     * outlasts it; {@code end} if there is none.
     */
    static double firstProgress(List<AllocationInterval> ownIntervals, GroundTruth truth, double end) {
        boolean first = true;
        for (AllocationInterval interval : ownIntervals) {
            double progress = interval.start() + truth.startSeconds(first);
            if (progress < interval.end()) {
                return progress;
            }
            first = false;
        }
        return end;
    }

    private static double heldSeconds(List<AllocationInterval> ownIntervals) {
        return ownIntervals.stream()
                .mapToDouble(interval -> interval.end() - interval.start())
                .sum();
    }
}

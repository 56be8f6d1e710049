package dev.spur.simulator.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recorder of job outcomes. */
final class OutcomeRecorder {
    private final int slots;
    private final List<String> rejected;
    private final List<JobOutcome> outcomes = new ArrayList<>();
    private final List<AllocationInterval> allocationIntervals = new ArrayList<>();
    /**
     * Job-seconds of all active jobs up to the latest change of their number; {@code activeJobSecondsUntil} is the time
     * of that change.
     */
    private double activeJobSeconds;

    private double activeJobSecondsUntil;
    private int active;
    private int ended;
    private final DecayedUsage decayedUsages;

    OutcomeRecorder(int slots, List<String> rejected, DecayedUsage decayedUsages) {
        this.decayedUsages = decayedUsages;
        this.slots = slots;
        this.rejected = rejected;
    }

    /** Counts an arrival. Returns the job-seconds of all active jobs so far. */
    double countArrival(double now) {
        count(now, 1);
        return activeJobSeconds;
    }

    private void count(double now, int change) {
        activeJobSeconds += active * (now - activeJobSecondsUntil);
        activeJobSecondsUntil = now;
        active += change;
    }

    /** Records an allocation interval of {@code job} that ended. */
    void intervalEnded(ActiveJob job, AllocationInterval interval) {
        allocationIntervals.add(interval);
        decayedUsages.addInterval(job, interval);
    }

    void recordEnd(ActiveJob job, double end) {
        ended++;
        count(end, -1);
        outcomes.add(job.outcome(end, fairness(job, end)));
    }

    /** Records a job that is active when the replay ends. */
    void recordUnfinished(ActiveJob job) {
        outcomes.add(job.outcome(null, null));
    }

    private @Nullable Double fairness(ActiveJob job, double end) {
        double life = end - job.sourceJob().arrival();
        if (life <= 0) {
            return null;
        }
        double others = (activeJobSeconds - job.activeJobSecondsAtArrival()) / life;
        double slowdown = Math.max(1, others * job.sourceJob().requestedSlots() / slots);
        return life / (job.sourceJob().aloneSeconds() * slowdown);
    }

    int endedJobs() {
        return ended;
    }

    List<String> rejectedJobs() {
        return rejected;
    }

    List<AllocationInterval> allocationIntervals() {
        return allocationIntervals;
    }

    List<JobOutcome> outcomes() {
        return outcomes.stream()
                .sorted(Comparator.comparingDouble(JobOutcome::arrival).thenComparing(JobOutcome::id))
                .toList();
    }
}

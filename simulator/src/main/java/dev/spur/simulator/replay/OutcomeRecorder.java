package dev.spur.simulator.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what becomes of jobs. */
final class OutcomeRecorder {
    private final int slots;
    private final List<String> refused;
    private final List<JobOutcome> outcomes = new ArrayList<>();
    private final List<AllocationInterval> stays = new ArrayList<>();
    /** Job-seconds of all active jobs together until their number last changed, and when that was. */
    private double crowd;

    private double crowdUntil;
    private int active;
    private int ended;
    private final DecayedUsage shares;

    OutcomeRecorder(int slots, List<String> refused, DecayedUsage shares) {
        this.shares = shares;
        this.slots = slots;
        this.refused = refused;
    }

    /** A job arrives. Returns the job-seconds of all active jobs together so far. */
    double arrived(double now) {
        count(now, 1);
        return crowd;
    }

    private void count(double now, int change) {
        crowd += active * (now - crowdUntil);
        crowdUntil = now;
        active += change;
    }

    /** What {@code job} held it holds no longer. */
    void stayed(ActiveJob job, AllocationInterval stay) {
        stays.add(stay);
        shares.ended(job.source().tenant(), stay);
    }

    void ended(ActiveJob job, double end) {
        ended++;
        count(end, -1);
        outcomes.add(job.outcome(end, fairness(job, end)));
    }

    /** A job is active when the replay ends. */
    void leave(ActiveJob job) {
        outcomes.add(job.outcome(null, null));
    }

    private @Nullable Double fairness(ActiveJob job, double end) {
        double life = end - job.source().arrival();
        if (life <= 0) {
            return null;
        }
        double others = (crowd - job.crowdAtArrival()) / life;
        double slowdown = Math.max(1, others * job.source().requestedSlots() / slots);
        return life / (job.source().aloneSeconds() * slowdown);
    }

    int ended() {
        return ended;
    }

    List<String> refused() {
        return refused;
    }

    List<AllocationInterval> stays() {
        return stays;
    }

    List<JobOutcome> outcomes() {
        return outcomes.stream()
                .sorted(Comparator.comparingDouble(JobOutcome::arrival).thenComparing(JobOutcome::id))
                .toList();
    }
}

package dev.spur.benchmarks.profit;

import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import java.util.Map;

/**
 * Money of a replay.
 *
 * @param revenue revenue of the jobs that have ended
 * @param cost cost of the slots that jobs have held
 * @param done number of jobs that have ended
 */
record Balance(double revenue, double cost, int done) {
    private static final double SECONDS_PER_HOUR = 3600;

    double profit() {
        return revenue - cost;
    }

    /**
     * Returns the balance of {@code replay}.
     *
     * @param revenues by id of each job
     * @param price price of a slot-hour
     */
    static Balance of(Replay replay, Map<String, Double> revenues, double price) {
        double revenue = 0;
        int done = 0;
        for (JobOutcome job : replay.jobs()) {
            if (job.end() != null) {
                revenue += revenues.getOrDefault(job.id(), 0.0);
                done++;
            }
        }
        double slotSeconds =
                replay.jobs().stream().mapToDouble(JobOutcome::slotSeconds).sum();
        return new Balance(revenue, price * slotSeconds / SECONDS_PER_HOUR, done);
    }
}

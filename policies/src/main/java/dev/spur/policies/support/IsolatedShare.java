package dev.spur.policies.support;

import dev.spur.model.job.Job;
import java.util.Map;

/**
 * Time that the completed work would have taken on a private share of the cluster. Each round adds the work since the
 * previous round, at the isolated speed of that round. Work before the first round counts at the current isolated
 * speed.
 */
public final class IsolatedShare {
    private final RoundView view;
    private final String prefix;
    private final Map<String, Double> before;

    /**
     * Creates the accounting for one round.
     *
     * @param prefix prefix of the counter names
     */
    public IsolatedShare(RoundView view, String prefix) {
        this.view = view;
        this.prefix = prefix;
        this.before = view.problem().memory().counters();
    }

    /** Returns the seconds that job {@code j} would have needed so far on its private share. */
    public double seconds(int j) {
        Job job = view.job(j);
        double lastLeft =
                before.getOrDefault(prefix + "left/" + job.id(), job.spec().totalSamples());
        double speed = before.getOrDefault(prefix + "speed/" + job.id(), 0.0);
        double done = Math.max(0, lastLeft - job.remainingSamples());
        double before = this.before.getOrDefault(prefix + "seconds/" + job.id(), 0.0);
        return before + (speed > 0 ? done / speed : 0);
    }

    /** Stores the state of job {@code j} with its current isolated speed {@code speed} in {@code counters}. */
    public void remember(int j, double speed, Map<String, Double> counters) {
        Job job = view.job(j);
        counters.put(prefix + "left/" + job.id(), job.remainingSamples());
        counters.put(prefix + "speed/" + job.id(), speed);
        counters.put(prefix + "seconds/" + job.id(), seconds(j));
    }
}

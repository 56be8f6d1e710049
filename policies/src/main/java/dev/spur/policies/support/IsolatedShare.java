package dev.spur.policies.support;

import dev.spur.model.job.Job;
import java.util.Map;

/**
 * Time that the work done so far would have taken on a private part of the cluster: each round adds the work done since
 * the last one, at the isolated speed of that one. What was done before the first round counts at the speed of now.
 */
public final class IsolatedShare {
    private final RoundView snapshot;
    private final String prefix;
    private final Map<String, Double> before;

    /** @param prefix begins the names of the counters */
    public IsolatedShare(RoundView snapshot, String prefix) {
        this.snapshot = snapshot;
        this.prefix = prefix;
        this.before = snapshot.problem().memory().counters();
    }

    /** Seconds so far of job {@code j}, on its private part. */
    public double seconds(int j) {
        Job job = snapshot.job(j);
        double lastLeft =
                before.getOrDefault(prefix + "left/" + job.id(), job.spec().totalSamples());
        double speed = before.getOrDefault(prefix + "speed/" + job.id(), 0.0);
        double done = Math.max(0, lastLeft - job.remainingSamples());
        double before = this.before.getOrDefault(prefix + "seconds/" + job.id(), 0.0);
        return before + (speed > 0 ? done / speed : 0);
    }

    /** Remembers job {@code j}, whose isolated speed is {@code speed} now. */
    public void remember(int j, double speed, Map<String, Double> counters) {
        Job job = snapshot.job(j);
        counters.put(prefix + "left/" + job.id(), job.remainingSamples());
        counters.put(prefix + "speed/" + job.id(), speed);
        counters.put(prefix + "seconds/" + job.id(), seconds(j));
    }
}

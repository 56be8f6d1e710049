package dev.spur.simulator.trace.synthetic;

import dev.spur.model.Checks;

/**
 * What trace to make up.
 *
 * @param jobs number of jobs, at least 1
 * @param load slot-seconds that arrive per second over the slots of the cluster: 1 is all that the cluster can do if jobs run on
 *     the slots they ask for; above 0
 * @param arrivals how jobs arrive
 * @param sizes how many slots they ask for
 * @param lengths how long they run on these
 * @param style who chooses the slots
 */
public record SyntheticSettings(
        int jobs, double load, Arrivals arrivals, Sizes sizes, Lengths lengths, JobStyle style) {
    public SyntheticSettings {
        Checks.atLeast("jobs", jobs, 1);
        Checks.positive("load", load);
    }

    /** The same jobs at another load. */
    public SyntheticSettings withLoad(double other) {
        return new SyntheticSettings(jobs, other, arrivals, sizes, lengths, style);
    }
}

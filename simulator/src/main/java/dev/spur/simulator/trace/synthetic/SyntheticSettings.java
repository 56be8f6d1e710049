package dev.spur.simulator.trace.synthetic;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What trace to make up.
 *
 * @param jobs number of jobs, at least 1
 * @param load slot-seconds that arrive per second over the slots of the cluster: 1 is all that the cluster can do if
 *     jobs run on the slots they ask for; above 0
 * @param arrivals how jobs arrive
 * @param sizes how many slots they ask for
 * @param lengths how long they run on these
 * @param style who chooses the slots
 * @param cpuHungry share of the jobs that are faster with more host CPUs than the share of their slots, from 0 to 1;
 *     all others need fewer. Null if hosts play no part
 */
public record SyntheticSettings(
        int jobs,
        double load,
        ArrivalProcess arrivals,
        SlotDistribution sizes,
        DurationDistribution lengths,
        JobStyle style,
        @Nullable Double cpuHungry) {
    @JsonCreator
    public SyntheticSettings {
        Checks.atLeast("jobs", jobs, 1);
        Checks.positive("load", load);
        Checks.require(
                cpuHungry == null || (cpuHungry >= 0 && cpuHungry <= 1),
                "cpuHungry (%s) must be from 0 to 1",
                cpuHungry);
    }

    /** Jobs in which hosts play no part. */
    public SyntheticSettings(
            int jobs,
            double load,
            ArrivalProcess arrivals,
            SlotDistribution sizes,
            DurationDistribution lengths,
            JobStyle style) {
        this(jobs, load, arrivals, sizes, lengths, style, null);
    }

    /** The same jobs at another load. */
    public SyntheticSettings withLoad(double other) {
        return new SyntheticSettings(jobs, other, arrivals, sizes, lengths, style, cpuHungry);
    }
}

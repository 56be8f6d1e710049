package dev.spur.simulator.trace.synthetic;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a synthetic trace.
 *
 * @param jobs number of jobs, at least 1
 * @param load offered load: arriving slot-seconds per second divided by the slots of the cluster, above 0; 1 is the
 *     capacity of the cluster if jobs run on their requested slots
 * @param arrivals arrival process
 * @param sizes distribution of the requested slots
 * @param lengths distribution of the run time on the requested slots
 * @param style choice of slots and batch size
 * @param cpuHungry fraction of the jobs that are faster with more host CPUs than the share of their slots, from 0 to 1;
 *     all others need fewer. Null if hosts have no effect
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

    /** Creates settings of jobs without host demand. */
    public SyntheticSettings(
            int jobs,
            double load,
            ArrivalProcess arrivals,
            SlotDistribution slotDistribution,
            DurationDistribution duration,
            JobStyle style) {
        this(jobs, load, arrivals, slotDistribution, duration, style, null);
    }

    /** Returns the same jobs at another load. */
    public SyntheticSettings withLoad(double other) {
        return new SyntheticSettings(jobs, other, arrivals, sizes, lengths, style, cpuHungry);
    }
}

package dev.spur.model.utility;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.ProfilingTarget;
import org.jspecify.annotations.Nullable;

/** The utility of one job by configuration, with everything computed that does not depend on the configuration. */
public final class JobUtility {
    /** Gain of the objective, before weight and price. */
    @FunctionalInterface
    interface Gain {
        /** Returns the gain at {@code goodput}; negative infinity for a change that the objective excludes. */
        double of(double goodput, ChangeMechanism change);
    }

    /** Relative bonus of a profiling run over the fastest known configuration. */
    private static final double PROFILING_BONUS = 0.1;

    private final Gain gain;
    private final StopCost stopCost;
    private final double weight;
    private final double horizonSeconds;
    private final double pricePenalty;
    private final @Nullable ProfilingTarget profilingTarget;
    private final double fastest;

    /** @param fastest goodput of the fastest configuration, used only with a profiling target */
    JobUtility(
            Gain gain,
            StopCost stopCost,
            double weight,
            double horizonSeconds,
            double pricePenalty,
            @Nullable ProfilingTarget profilingTarget,
            double fastest) {
        this.gain = stopCost.charge(gain);
        this.stopCost = stopCost;
        this.weight = weight;
        this.horizonSeconds = horizonSeconds;
        this.pricePenalty = pricePenalty;
        this.profilingTarget = profilingTarget;
        this.fastest = fastest;
    }

    /**
     * Returns the utility of {@code configuration} at {@code goodput} effective samples per second.
     *
     * @param change how the job adopts the configuration
     * @param pricePerSlotHour price of a slot of its highest-priced node, which counts for all of its slots
     * @return a finite number, or negative infinity for a change that the objective excludes; an unchanged allocation
     *     is never excluded
     */
    public double of(Configuration configuration, double goodput, ChangeMechanism change, double pricePerSlotHour) {
        double own = profilingTarget != null && profilingTarget.matches(configuration)
                ? profilingGain(goodput)
                : gain.of(goodput, change);
        double price = pricePerSlotHour * configuration.slots() * horizonSeconds / 3600;
        return own * weight - pricePenalty * price;
    }

    /** Returns the part of the utility of an unchanged allocation that is the cost of stopping the job, at least 0. */
    public double stopCost(double goodput) {
        return weight * stopCost.partOf(gain.of(goodput, ChangeMechanism.UNCHANGED));
    }

    /**
     * A measurement serves the rest of the job, so that neither the speed of the profiling run nor its restart counts.
     */
    private double profilingGain(double goodput) {
        double max = gain.of(Math.max(goodput, fastest), ChangeMechanism.UNCHANGED);
        return max + PROFILING_BONUS * Math.abs(max);
    }
}

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
        /**
         * Returns the gain at {@code goodput}; negative infinity for a change that the objective excludes.
         *
         * @param costPerSecond cost of the resources, which counts only in {@code PROFIT}
         */
        double of(double goodput, ChangeMechanism change, double costPerSecond);
    }

    /** Price of one slot of a configuration for one hour. */
    @FunctionalInterface
    interface SlotPrice {
        /** Returns the price with CPUs and power, given that of the slot itself. */
        double of(Configuration configuration, double pricePerSlotHour);
    }

    /** Relative bonus of a profiling run over the fastest known configuration. */
    private static final double PROFILING_BONUS = 0.1;

    private static final double SECONDS_PER_HOUR = 3600;

    private final Gain gain;
    private final StopCost stopCost;
    private final double weight;
    private final SlotPrice slotPrice;
    private final double horizonSeconds;
    private final double pricePenalty;
    private final @Nullable ProfilingTarget profilingTarget;
    private final double fastest;

    /** @param fastest goodput of the fastest configuration, used only with a profiling target */
    JobUtility(
            Gain gain,
            StopCost stopCost,
            double weight,
            SlotPrice slotPrice,
            double horizonSeconds,
            double pricePenalty,
            @Nullable ProfilingTarget profilingTarget,
            double fastest) {
        this.gain = stopCost.charge(gain);
        this.stopCost = stopCost;
        this.weight = weight;
        this.slotPrice = slotPrice;
        this.horizonSeconds = horizonSeconds;
        this.pricePenalty = pricePenalty;
        this.profilingTarget = profilingTarget;
        this.fastest = fastest;
    }

    /**
     * Returns the utility of {@code configuration} at {@code goodput} effective samples per second.
     *
     * @param change how the job adopts the configuration
     * @param terms what its nodes contribute; a job does not need to prefer the nodes that it keeps
     * @return a finite number, or negative infinity for a change that the objective excludes; an unchanged allocation
     *     is never excluded
     */
    public double of(Configuration configuration, double goodput, ChangeMechanism change, NodeTerms terms) {
        double cost = costPerSecond(configuration, terms.pricePerSlotHour());
        double own = profilingTarget != null && profilingTarget.matches(configuration)
                ? profilingGain(goodput, cost)
                : gain.of(goodput, change, cost);
        return terms.lower(own) * weight - pricePenalty * cost * horizonSeconds;
    }

    /**
     * Returns the part of the utility of the unchanged allocation {@code configuration} that is the cost of stopping
     * the job, at least 0.
     *
     * @param pricePerSlotHour price of a slot of its highest-priced node
     */
    public double stopCost(Configuration configuration, double goodput, double pricePerSlotHour) {
        double cost = costPerSecond(configuration, pricePerSlotHour);
        return weight * stopCost.partOf(gain.of(goodput, ChangeMechanism.UNCHANGED, cost));
    }

    private double costPerSecond(Configuration configuration, double pricePerSlotHour) {
        return slotPrice.of(configuration, pricePerSlotHour) * configuration.slots() / SECONDS_PER_HOUR;
    }

    /**
     * A measurement serves the rest of the job, so that neither the speed of the profiling run nor its restart counts.
     */
    private double profilingGain(double goodput, double costPerSecond) {
        double max = gain.of(Math.max(goodput, fastest), ChangeMechanism.UNCHANGED, costPerSecond);
        return max + PROFILING_BONUS * Math.abs(max);
    }
}

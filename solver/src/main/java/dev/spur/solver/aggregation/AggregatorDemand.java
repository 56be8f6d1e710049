package dev.spur.solver.aggregation;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;

/**
 * Demand of a job for aggregators, in thousandths.
 *
 * <p>A job that shares is busy for a part of each step only. It needs {@code slots} aggregators, on which other jobs
 * may have shards, and adds {@code cpus} to their number. This <em>effective bandwidth</em> (Kelly, "Notes on effective
 * bandwidths", 1996) lies between its mean and its peak: aggregators whose sum of effective bandwidths is within their
 * CPUs keep the limits of utilization and of mean stall, where jobs have equal steps and spread their shards evenly.
 *
 * @param slots aggregation slots of the configuration, the peak
 * @param cpus effective bandwidth, at most {@code slots}; {@code slots} for a job that does not share
 * @param shares whether other jobs may use its aggregators: its effective bandwidth is known and below its peak
 */
public record AggregatorDemand(long slots, long cpus, boolean shares) {
    /**
     * Factors for jobs whose steps differ and for shards that cannot be divided, from `bench sharing`: some job does
     * not fit within the limits for 0 to 8 % of the time. With the loads of `bench aggregation --sharing` these are up
     * to 42 % of the rounds.
     */
    private static final double UTILIZATION_RESERVE = 2.2;

    private static final double STALL_RESERVE = 1.25;

    /** No aggregators. */
    public static final AggregatorDemand NONE = new AggregatorDemand(0, 0, false);

    /** Returns the demand of a job with {@code spec} in {@code configuration}. */
    public static AggregatorDemand of(JobSpec spec, Configuration configuration, AggregationSettings settings) {
        long slots = configuration.aggregationThousandths();
        if (slots == 0) {
            return NONE;
        }
        double load = settings.allowsSharing() ? meanLoad(spec, configuration, settings) : 0;
        return load <= 0 ? withoutSharing(slots) : of(load, slots, settings);
    }

    /**
     * Returns the demand of a job with a known load.
     *
     * @param load mean number of busy CPUs, above 0
     * @param slots its aggregation slots, thousandths
     */
    public static AggregatorDemand of(double load, long slots, AggregationSettings settings) {
        long cpus = effectiveThousandths(load, slots, settings);
        return new AggregatorDemand(slots, cpus, cpus < slots);
    }

    /** Returns the demand of a job that does not share its {@code slots}, in thousandths. */
    public static AggregatorDemand withoutSharing(long slots) {
        return new AggregatorDemand(slots, slots, false);
    }

    /** Returns the mean number of busy CPUs; 0 if it is unknown. */
    static double meanLoad(JobSpec spec, Configuration configuration, AggregationSettings settings) {
        Double bytes = spec.synchronization().gradientBytes();
        double throughput = configuration.throughput(spec.profile(), configuration.batchSize());
        return bytes == null || throughput <= 0
                ? 0
                : bytes * configuration.slots() / settings.bytesPerSecond() * throughput / configuration.batchSize();
    }

    /**
     * Returns the effective bandwidth of a load of {@code load} CPUs on {@code slots} thousandths. A slot that is busy
     * for u of the time delays other jobs by u² / 2 of a step. So n such slots on one aggregator stall them for (n - 1)
     * u² / 2, and the aggregator is busy for n u.
     */
    private static long effectiveThousandths(double load, long slots, AggregationSettings settings) {
        double byUtilization = load / settings.utilization();
        double byStall = load * load / (slots / 1000.0) / (2 * settings.meanStallFraction());
        double effective = Math.max(UTILIZATION_RESERVE * byUtilization, STALL_RESERVE * byStall);
        return Math.min(slots, (long) Math.ceil(1000 * effective));
    }
}

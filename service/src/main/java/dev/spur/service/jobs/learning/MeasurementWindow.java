package dev.spur.service.jobs.learning;

import dev.spur.service.jobs.learning.AggregatorCounts.ShardCounts;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work for a job in a period, on one or more aggregators.
 *
 * @param parts parts of sums that were received
 * @param bytes bytes of numbers in them
 * @param cpuSeconds CPU seconds; null if unknown
 */
record MeasurementWindow(long parts, long bytes, @Nullable Double cpuSeconds) {
    /** Minimum number of parts; the first ones of a job include its connection setup. */
    private static final long MIN_PARTS = 10;

    /**
     * The window from {@code before} to {@code now}, both by shard; null if a counter has decreased, so that nothing is
     * known.
     */
    static @Nullable MeasurementWindow between(Map<Integer, ShardCounts> before, Map<Integer, ShardCounts> now) {
        long parts = 0;
        long bytes = 0;
        Double cpu = 0.0;
        for (Map.Entry<Integer, ShardCounts> shard : now.entrySet()) {
            ShardCounts from = before.getOrDefault(shard.getKey(), ShardCounts.NOTHING);
            ShardCounts to = shard.getValue();
            if (to.parts() < from.parts() || to.bytes() < from.bytes()) {
                return null;
            }
            parts += to.parts() - from.parts();
            bytes += to.bytes() - from.bytes();
            cpu = sum(cpu, difference(from.cpuSeconds(), to.cpuSeconds()));
        }
        return new MeasurementWindow(parts, bytes, cpu);
    }

    /** The sum of all windows. */
    static MeasurementWindow sum(Collection<MeasurementWindow> windows) {
        return windows.stream()
                .reduce(
                        new MeasurementWindow(0, 0, 0.0),
                        (one, other) -> new MeasurementWindow(
                                one.parts + other.parts,
                                one.bytes + other.bytes,
                                sum(one.cpuSeconds, other.cpuSeconds)));
    }

    private static @Nullable Double difference(@Nullable Double from, @Nullable Double to) {
        return from == null || to == null ? null : (Double) Math.max(0, to - from);
    }

    private static @Nullable Double sum(@Nullable Double one, @Nullable Double other) {
        return one == null || other == null ? null : (Double) (one + other);
    }

    /** True if the window is large enough to be meaningful. */
    boolean isSignificant() {
        return parts >= MIN_PARTS;
    }

    /**
     * Work as a multiple of the predicted work: by CPU time, or by bytes if CPU time is unknown. 0 without work.
     *
     * @param bytesOfPart predicted bytes of a part
     * @param bytesPerSecond predicted throughput of one aggregation slot
     */
    double ratio(double bytesOfPart, double bytesPerSecond) {
        double done = cpuSeconds == null ? bytes : cpuSeconds * bytesPerSecond;
        return done / (parts * bytesOfPart);
    }
}

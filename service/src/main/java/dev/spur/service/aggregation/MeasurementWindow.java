package dev.spur.service.aggregation;

import dev.spur.service.store.AggregatorCounts.ShardCounts;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was done for a job in some time, on one aggregator or on several.
 *
 * @param parts parts of sums that were taken in
 * @param bytes bytes of numbers in them
 * @param cpuSeconds of a CPU; null if nobody knows
 */
record MeasurementWindow(long parts, long bytes, @Nullable Double cpuSeconds) {
    /** Fewer parts say nothing: the first ones of a job set its connections up. */
    private static final long FEWEST_PARTS = 10;

    /** From {@code before} to {@code now}, both by shard; null if counts have gone back, so that nothing is known. */
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

    /** All of them together. */
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

    /** True if enough was done for it to say anything. */
    boolean says() {
        return parts >= FEWEST_PARTS;
    }

    /**
     * Work that was done as a multiple of what was expected: by CPU time, or by bytes where nobody knows that. 0 if
     * nothing was.
     *
     * @param bytesOfPart bytes that a part is expected to have
     * @param bytesPerSecond what one aggregation slot is expected to take in and sum
     */
    double ratio(double bytesOfPart, double bytesPerSecond) {
        double done = cpuSeconds == null ? bytes : cpuSeconds * bytesPerSecond;
        return done / (parts * bytesOfPart);
    }
}

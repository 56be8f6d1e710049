package dev.spur.agent.aggregator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counters of an aggregator by shard. CPU time is measured by worker thread, so that each job is charged only for its
 * own work. Thread-safe.
 */
final class AggregatorMetrics {
    private static final double NANOS = 1e9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String instance = UUID.randomUUID().toString();
    private final long start = System.nanoTime();
    private final Map<ShardKey, Count> counts = new ConcurrentHashMap<>();

    private static final class Count {
        private final LongAdder parts = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder cpuNanos = new LongAdder();
    }

    /** Returns the CPU time of the current thread, in nanoseconds; 0 if the system does not report it. */
    static long cpuNanos() {
        return isMeasured() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    private static boolean isMeasured() {
        return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
    }

    /** Counts a received part of a sum. */
    void recordPart(ShardKey shard, long bytes) {
        Count count = counts.computeIfAbsent(shard, key -> new Count());
        count.parts.increment();
        count.bytes.add(bytes);
    }

    /** Adds CPU time of a shard. Shards without received parts are not counted. */
    void recordCpuTime(ShardKey shard, long cpuNanos) {
        Count count = counts.get(shard);
        if (count != null) {
            count.cpuNanos.add(cpuNanos);
        }
    }

    /** Removes the counters of all shards that do not match {@code isHosted}. */
    void keep(Predicate<ShardKey> isHosted) {
        counts.keySet().removeIf(isHosted.negate());
    }

    /** Returns the current counts. */
    Counts read() {
        var shardsByJob = new Counts.ShardCounts();
        counts.forEach((key, count) -> shardsByJob.add(
                key.job(),
                key.generation(),
                new Counts.Shard(
                        key.shard(),
                        count.parts.sum(),
                        count.bytes.sum(),
                        isMeasured() ? count.cpuNanos.sum() / NANOS : null)));
        return new Counts(instance, (System.nanoTime() - start) / NANOS, processSeconds(), shardsByJob.all());
    }

    private static @Nullable Double processSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(used -> used.toMillis() / 1e3)
                .orElse(null);
    }
}

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
 * Counts what an aggregator does, shard by shard. CPU time is that of the threads that serve a worker, so work for one
 * job is never counted for another one, however many share the process. Safe for several threads.
 */
final class AggregatorMetrics {
    private static final double NANOS = 1e9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String instance = UUID.randomUUID().toString();
    private final long begun = System.nanoTime();
    private final Map<ShardKey, Count> counts = new ConcurrentHashMap<>();

    private static final class Count {
        private final LongAdder parts = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder cpuNanos = new LongAdder();
    }

    /** CPU time of this thread so far, nanoseconds; 0 where the system does not say. */
    static long cpuNanos() {
        return isMeasured() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    private static boolean isMeasured() {
        return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
    }

    /** A part of a sum was taken in. */
    void took(ShardKey shard, long bytes) {
        Count count = counts.computeIfAbsent(shard, key -> new Count());
        count.parts.increment();
        count.bytes.add(bytes);
    }

    /** CPU time was spent on a shard; it is not counted where nobody has sent a part of that. */
    void spent(ShardKey shard, long cpuNanos) {
        Count count = counts.get(shard);
        if (count != null) {
            count.cpuNanos.add(cpuNanos);
        }
    }

    /** Forgets all but {@code here}. */
    void keep(Predicate<ShardKey> here) {
        counts.keySet().removeIf(here.negate());
    }

    /** Everything up to now. */
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
        return new Counts(instance, (System.nanoTime() - begun) / NANOS, processSeconds(), shardsByJob.all());
    }

    private static @Nullable Double processSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(used -> used.toMillis() / 1e3)
                .orElse(null);
    }
}

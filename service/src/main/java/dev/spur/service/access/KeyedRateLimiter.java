package dev.spur.service.access;

import io.github.bucket4j.Bucket;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiter with a token bucket per key. Buckets that were not used recently are evicted; at that time they are full
 * again.
 */
final class KeyedRateLimiter {
    private static final int MOST = 10_000;
    private static final long NANOS = 1_000_000_000;

    private final boolean unlimited;
    private final Supplier<Bucket> fresh;
    private final Map<String, Bucket> byName = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST;
        }
    });

    KeyedRateLimiter(boolean unlimited, Supplier<Bucket> fresh) {
        this.unlimited = unlimited;
        this.fresh = fresh;
    }

    /** The bucket of a key; null if there is no limit. */
    @Nullable
    Bucket of(String name) {
        return unlimited ? null : byName.computeIfAbsent(name, key -> fresh.get());
    }

    /** Seconds until a retry, rounded up, at least 1. */
    static long seconds(long nanos) {
        return Math.max(1, (nanos + NANOS - 1) / NANOS);
    }
}

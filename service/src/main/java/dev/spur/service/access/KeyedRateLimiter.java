package dev.spur.service.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiter with a token bucket per key. Buckets that were not used recently are evicted; at that time they are full
 * again.
 */
final class KeyedRateLimiter {
    private static final int MAX_KEYS = 10_000;
    private static final long NANOS = 1_000_000_000;

    private final boolean unlimited;
    private final Supplier<Bucket> fresh;
    private final Cache<String, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(MAX_KEYS).build();

    KeyedRateLimiter(boolean unlimited, Supplier<Bucket> fresh) {
        this.unlimited = unlimited;
        this.fresh = fresh;
    }

    /** The bucket of a key; null if there is no limit. */
    @Nullable
    Bucket of(String name) {
        return unlimited ? null : buckets.get(name, key -> fresh.get());
    }

    /** Seconds until a retry, rounded up, at least 1. */
    static long seconds(long nanos) {
        return Math.max(1, (nanos + NANOS - 1) / NANOS);
    }
}

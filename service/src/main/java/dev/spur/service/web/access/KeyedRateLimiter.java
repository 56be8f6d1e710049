package dev.spur.service.web.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;

/**
 * Rate limiter with a token bucket per key. Buckets that were not used recently are evicted; at that time they are full
 * again.
 */
final class KeyedRateLimiter {
    private static final int MAX_KEYS = 10_000;
    private static final long NANOS = 1_000_000_000;

    private final long capacity;
    private final long refill;
    private final Duration period;
    private final Cache<String, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(MAX_KEYS).build();

    /**
     * Creates the limiter.
     *
     * @param capacity maximum tokens of a bucket
     * @param refill tokens added to a bucket in each {@code period}; 0 or less for no limit
     */
    KeyedRateLimiter(long capacity, long refill, Duration period) {
        this.capacity = Math.max(1, capacity);
        this.refill = refill;
        this.period = period;
    }

    /** Takes a token from the bucket of {@code key}. Returns 0, or the seconds until a retry if the bucket is empty. */
    long take(String key) {
        if (refill <= 0) {
            return 0;
        }
        ConsumptionProbe probe = buckets.get(key, added -> fullBucket()).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? 0 : Math.max(1, (probe.getNanosToWaitForRefill() + NANOS - 1) / NANOS);
    }

    private Bucket fullBucket() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(capacity).refillGreedy(refill, period))
                .build();
    }
}

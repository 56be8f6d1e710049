package dev.spur.service.access;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Counts failed authentications by client address. Valid tokens are not counted. */
@Component
class FailedLoginThrottle {
    private final KeyedRateLimiter buckets;

    FailedLoginThrottle(RateProperties properties) {
        int most = properties.failuresPerMinute();
        buckets = new KeyedRateLimiter(
                most <= 0,
                () -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(most).refillGreedy(most, Duration.ofMinutes(1)))
                        .build());
    }

    /**
     * Counts a failed authentication.
     *
     * @throws TooManyFailedLoginsException if the address has exceeded the limit
     */
    void count(String address) {
        Bucket bucket = buckets.of(address);
        if (bucket == null) {
            return;
        }
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw new TooManyFailedLoginsException(KeyedRateLimiter.seconds(probe.getNanosToWaitForRefill()));
        }
    }
}

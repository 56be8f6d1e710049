package dev.spur.service.access;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.EstimationProbe;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Counts tokens that counted for nothing, by address: to look one up costs a query, and nobody honest brings many. */
@Component
class Failures {
    private final Buckets buckets;

    Failures(RateProperties properties) {
        int most = properties.failuresPerMinute();
        buckets = new Buckets(
                most <= 0,
                () -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(most).refillGreedy(most, Duration.ofMinutes(1)))
                        .build());
    }

    /** @throws TooManyFailures if the address has brought too many */
    void demandFew(String address) {
        Bucket bucket = buckets.of(address);
        if (bucket == null) {
            return;
        }
        EstimationProbe probe = bucket.estimateAbilityToConsume(1);
        if (!probe.canBeConsumed()) {
            throw new TooManyFailures(Buckets.seconds(probe.getNanosToWaitForRefill()));
        }
    }

    /** One more. */
    void count(String address) {
        Bucket bucket = buckets.of(address);
        if (bucket != null) {
            bucket.consumeIgnoringRateLimits(1);
        }
    }
}

package dev.spur.service.rounds;

import dev.spur.service.plans.Lease;
import dev.spur.service.plans.RoundStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Part {@code rounds} of the health, and the number of rounds in a row that failed. It is down on the leader from
 * {@value #LIMIT} such rounds on. Readiness does not depend on it, because the replica still serves requests.
 */
@Component
class RoundsHealthIndicator implements HealthIndicator, RoundObserver {
    static final int LIMIT = 3;

    private final Supplier<Optional<Lease>> lease;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean hasEnded;

    @Autowired
    RoundsHealthIndicator(LeaseKeeper keeper, MeterRegistry registry) {
        this(keeper::current, registry);
    }

    /**
     * Creates the part.
     *
     * @param lease returns the lease of this replica; empty if it does not plan
     */
    RoundsHealthIndicator(Supplier<Optional<Lease>> lease, MeterRegistry registry) {
        this.lease = lease;
        Gauge.builder("spur.rounds.failing", this::failures)
                .description("Rounds in a row on this replica that failed, so that the last plan remains")
                .register(registry);
    }

    @Override
    public void begins() {
        hasEnded = false;
    }

    @Override
    public void onEnd(RoundReport report) {
        hasEnded = true;
        RoundStatus status = report.outcome().status();
        if (status == RoundStatus.FAILED) {
            failures.incrementAndGet();
        } else if (status != RoundStatus.ABANDONED) {
            failures.set(0);
        }
    }

    /** A round that could not begin, for example because the database rejected it, has no report. */
    @Override
    public void onIdle() {
        if (!hasEnded) {
            failures.incrementAndGet();
        }
    }

    /** Rounds in a row that failed; 0 on a replica that does not plan. */
    private int failures() {
        return lease.get().isPresent() ? failures.get() : 0;
    }

    @Override
    public Health health() {
        int failed = failures();
        return failed < LIMIT
                ? Health.up().build()
                : Health.down().withDetail("failedRounds", failed).build();
    }
}

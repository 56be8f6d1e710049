package dev.spur.service.operations;

import dev.spur.service.database.WriteFailures;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Readiness of the database for writes. It reports the outcome of the last writes and sends no statement. */
@Component
class DatabaseWritesHealthIndicator implements HealthIndicator {
    private final WriteFailures failures;

    DatabaseWritesHealthIndicator(WriteFailures failures) {
        this.failures = failures;
    }

    @Override
    public Health health() {
        return failures.reason()
                .map(reason -> Health.down().withDetail("reason", reason).build())
                .orElseGet(() -> Health.up().build());
    }
}

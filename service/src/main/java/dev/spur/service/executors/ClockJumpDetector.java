package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.LeaseGrants;
import dev.spur.service.database.RestorationStore;
import dev.spur.service.jobs.TimeLimitStore;
import java.time.temporal.ChronoUnit;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Detection of jumps of the database clock. Between two readings by one replica, the database clock may advance by no
 * more than the monotonic clock of that replica, since other replicas only store later readings. After a jump, the
 * leases of executors begin again.
 */
@Component
class ClockJumpDetector {
    private static final Logger LOG = LoggerFactory.getLogger(ClockJumpDetector.class);

    /** Differences up to this are adjustments by time synchronization; leases have more slack. */
    static final double TOLERANCE_SECONDS = 2;

    private final DatabaseClockStore clock;
    private final LeaseGrants grants;
    private final RestorationStore restoration;
    private final TimeLimitStore limits;
    private final ExecutorProperties properties;
    private final TransactionTemplate transaction;
    private final LongSupplier nanoTime;
    private OptionalLong lastReading = OptionalLong.empty();

    @Autowired
    ClockJumpDetector(
            DatabaseClockStore clock,
            LeaseGrants grants,
            RestorationStore restoration,
            TimeLimitStore limits,
            ExecutorProperties properties,
            TransactionTemplate transaction) {
        this(clock, grants, restoration, limits, properties, transaction, System::nanoTime);
    }

    /** As above, with {@code nanoTime} as the monotonic clock. */
    ClockJumpDetector(
            DatabaseClockStore clock,
            LeaseGrants grants,
            RestorationStore restoration,
            TimeLimitStore limits,
            ExecutorProperties properties,
            TransactionTemplate transaction,
            LongSupplier nanoTime) {
        this.clock = clock;
        this.grants = grants;
        this.restoration = restoration;
        this.limits = limits;
        this.properties = properties;
        this.transaction = transaction;
        this.nanoTime = nanoTime;
    }

    /** Reads the clock, and extends leases if it has jumped since the last reading of any replica. */
    synchronized void read() {
        long start = nanoTime.getAsLong();
        transaction.executeWithoutResult(status -> {
            OptionalDouble elapsed = clock.read();
            if (elapsed.isPresent() && isJump(elapsed.getAsDouble())) {
                extendLeases(elapsed.getAsDouble());
            }
        });
        lastReading = OptionalLong.of(start);
    }

    /**
     * A replica that has not read the clock before cannot compare: it accepts an absence of all replicas that ends no
     * lease.
     */
    private boolean isJump(double elapsedSeconds) {
        double longest = lastReading.isPresent()
                ? (nanoTime.getAsLong() - lastReading.getAsLong()) / 1e9 + TOLERANCE_SECONDS
                : Seconds.of(properties.lease());
        return elapsedSeconds > longest || elapsedSeconds < -TOLERANCE_SECONDS;
    }

    private void extendLeases(double elapsedSeconds) {
        double seconds = Math.max(Seconds.of(properties.leaseWithGrace()), restoration.longestLease());
        var until = grants.toExecutors(seconds).truncatedTo(ChronoUnit.SECONDS);
        grants.toRestoration(elapsedSeconds, seconds);
        limits.exclude(elapsedSeconds);
        grants.limitPauses(Seconds.of(properties.maxRetryBackoff()), Seconds.of(properties.maxRecovery()));
        LOG.warn(
                "The database clock is {} s after its last reading by a replica: it was set, or no replica was running. "
                        + "Executors can report until {}; none is lost before. Check the time synchronization of the database server.",
                Math.round(elapsedSeconds),
                until);
    }
}

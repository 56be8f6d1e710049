package dev.spur.service.database;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Test writes after a failed write, until one succeeds. A small update is not sufficient, since it succeeds on a full
 * disk.
 */
@Component
class WriteProbe {
    private static final Logger LOG = LoggerFactory.getLogger(WriteProbe.class);
    private static final long PERIOD_SECONDS = 5;

    private final WriteFailures failures;
    private final JdbcClient jdbc;
    /** Transaction of the write, whose failure the probe handles. */
    private final TransactionTemplate transaction;

    WriteProbe(WriteFailures failures, JdbcClient jdbc, TransactionTemplate transaction) {
        this.failures = failures;
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /** Writes a page to a new table and rolls it back, if the last write failed. */
    @Scheduled(fixedDelay = PERIOD_SECONDS, initialDelay = PERIOD_SECONDS, timeUnit = TimeUnit.SECONDS)
    void step() {
        if (failures.reason().isEmpty()) {
            return;
        }
        try {
            transaction.executeWithoutResult(status -> {
                status.setRollbackOnly();
                jdbc.sql("create table write_probe (text text)").update();
                jdbc.sql("insert into write_probe select repeat('x', 100)").update();
            });
            failures.reset();
        } catch (DataAccessException | TransactionException refused) {
            LOG.debug("the database still rejects writes", refused);
        }
    }
}

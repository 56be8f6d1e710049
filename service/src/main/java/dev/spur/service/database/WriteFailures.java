package dev.spur.service.database;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.stereotype.Component;

/**
 * Tracks whether the database accepts writes. The state changes when a statement fails because the database is
 * read-only or its disk is full, and again when a {@link WriteProbe probe} succeeds. Every statement of every store
 * passes its errors here, so a healthy database gets no further statement.
 */
@Component
public class WriteFailures extends SQLExceptionSubclassTranslator {
    private static final Logger LOG = LoggerFactory.getLogger(WriteFailures.class);
    /** SQL states read_only_sql_transaction, disk_full and io_error. */
    private static final Set<String> REFUSED = Set.of("25006", "53100", "58030");

    private volatile @Nullable String reason;

    /** Returns the error of the last write; empty while writes succeed. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    protected @Nullable DataAccessException doTranslate(String task, @Nullable String sql, SQLException error) {
        if (!REFUSED.contains(String.valueOf(error.getSQLState()))) {
            return super.doTranslate(task, sql, error);
        }
        String message = String.valueOf(error.getMessage());
        if (reason == null) {
            LOG.error("the database rejects writes: {}", message);
        }
        reason = message;
        return new DataAccessResourceFailureException(buildMessage(task, sql, error), error);
    }

    /** Resets the state after a write of a new page has succeeded. */
    void reset() {
        LOG.info("the database accepts writes again");
        reason = null;
    }
}

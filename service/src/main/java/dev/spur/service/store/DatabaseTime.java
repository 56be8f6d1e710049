package dev.spur.service.store;

import java.time.Instant;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The clock that decides: that of the database, the same for every replica. Clocks of machines only fill in what people
 * read.
 */
@Component
public class DatabaseTime {
    private final JdbcClient jdbc;

    DatabaseTime(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The time now, also within a transaction. */
    public Instant now() {
        return jdbc.sql("select clock_timestamp() as now")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "now")))
                .single();
    }
}

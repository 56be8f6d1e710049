package dev.spur.service.database;

import java.time.Instant;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Clock of the database, which is authoritative for all replicas. Local clocks are used only for display. */
@Component
public class DatabaseTime {
    private final JdbcClient jdbc;

    DatabaseTime(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the current time, also within a transaction. */
    public Instant now() {
        return jdbc.sql("select clock_timestamp() as now")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "now")))
                .single();
    }
}

package dev.spur.service.executor;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Whether any executor is connected. */
@Repository
public class ConnectedExecutors {
    private final JdbcClient jdbc;

    ConnectedExecutors(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns whether the lease of an executor holds, or its grace period has not ended. */
    public boolean any() {
        return jdbc.sql("select exists (select from executor where state = 'ALIVE')")
                .query(Boolean.class)
                .single();
    }
}

package dev.spur.service.store;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tells the other replicas. */
@Repository
public class Notifier {
    private final JdbcClient jdbc;

    Notifier(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Tells something on a channel, at once or when the transaction around it commits. */
    public void tell(String channel, String payload) {
        jdbc.sql("select pg_notify(?, ?)").params(channel, payload).query(row -> {});
    }
}

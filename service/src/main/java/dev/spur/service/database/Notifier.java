package dev.spur.service.database;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Notifies the other replicas. */
@Repository
public class Notifier {
    private final JdbcClient jdbc;

    Notifier(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Sends a notification on a channel, at once or when the surrounding transaction commits. */
    public void send(String channel, String payload) {
        jdbc.sql("select pg_notify(?, ?)").params(channel, payload).query(row -> {});
    }
}

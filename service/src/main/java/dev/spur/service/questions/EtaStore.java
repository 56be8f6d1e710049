package dev.spur.service.questions;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Newest estimates of starts and completions (ETAs) as JSON, and the record of how earlier ones compared with reality.
 */
@Repository
class EtaStore {
    private static final String REPLACE = """
            with stored as (
                insert into eta as before (revision, created_at, body) values (:revision, now(), :body)
                on conflict (singleton) do update
                    set revision = excluded.revision, created_at = excluded.created_at, body = excluded.body
                    where before.revision <= excluded.revision or before.created_at < now() - interval '1 hour'
                returning revision)
            select pg_notify(:channel, revision::text) from stored
            """;

    private final JdbcClient jdbc;

    EtaStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Newest estimates.
     *
     * @param revision revision of the plan that the estimates start from
     */
    public record StoredEtas(long revision, Instant madeAt, String body) {}

    /** Returns the time at which the newest estimates were stored; empty if there are none. */
    public Optional<Instant> newest() {
        return jdbc.sql("select created_at from eta")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "created_at")))
                .optional();
    }

    /** Returns the newest estimates; empty if there are none. */
    public Optional<StoredEtas> find() {
        return jdbc.sql("select revision, created_at as made_at, body from eta")
                .query(RecordMapper.of(StoredEtas.class))
                .optional();
    }

    /**
     * Replaces the estimates, and notifies every replica. Does nothing if another planner has stored estimates for a
     * later plan in the last hour.
     */
    public void replace(long revision, String body) {
        jdbc.sql(REPLACE)
                .param("revision", revision)
                .param("body", body)
                .param("channel", NotificationChannel.ESTIMATES)
                .query(row -> {});
    }

    /** Returns the record of how earlier estimates compared with reality, as JSON; empty if there is none. */
    public Optional<String> accuracy() {
        return jdbc.sql("select body from eta_record").query(String.class).optional();
    }

    /** Stores the record, unless another planner has stored one for a later plan in the last hour. */
    public void keepAccuracy(long revision, String body) {
        jdbc.sql("""
                        insert into eta_record as before (revision, updated_at, body) values (?, now(), ?)
                        on conflict (singleton) do update
                            set revision = excluded.revision, updated_at = excluded.updated_at, body = excluded.body
                            where before.revision <= excluded.revision or before.updated_at < now() - interval '1 hour'
                        """).params(revision, body).update();
    }
}

package dev.spur.service.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The newest estimates of starts and completions, as JSON. */
@Repository
public class EstimateStore {
    private final JdbcClient jdbc;

    EstimateStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The newest estimates.
     *
     * @param revision of the plan that they begin with
     * @param madeAt when they were stored
     * @param body as JSON
     */
    public record Stored(long revision, Instant madeAt, String body) {}

    /** When the newest estimates were stored; nothing if there are none. */
    public Optional<Instant> newest() {
        return jdbc.sql("select made_at from estimate")
                .query((row, index) -> millis(Rows.instant(row, "made_at")))
                .optional();
    }

    /** The newest estimates. */
    public Optional<Stored> find() {
        return jdbc.sql("select revision, made_at, body from estimate")
                .query((row, index) -> new Stored(
                        row.getLong("revision"), millis(Rows.instant(row, "made_at")), row.getString("body")))
                .optional();
    }

    /** Replaces them and tells every replica, unless another planner has stored some for a later plan in the last hour. */
    public void replace(long revision, String body) {
        jdbc.sql("""
                        with stored as (
                            insert into estimate (revision, made_at, body) values (?, now(), ?)
                            on conflict (only_row) do update
                                set revision = excluded.revision, made_at = excluded.made_at, body = excluded.body
                                where estimate.revision <= excluded.revision
                                    or estimate.made_at < now() - interval '1 hour'
                            returning revision)
                        select pg_notify(?, revision::text) from stored
                        """).params(revision, body, Channel.ESTIMATES).query(row -> {});
    }

    private static Instant millis(@Nullable Instant time) {
        return Objects.requireNonNull(time).truncatedTo(ChronoUnit.MILLIS);
    }
}

package dev.spur.service.eta;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Newest estimates of starts and completions (ETAs) as JSON, and records of how earlier ones compared with reality. */
@Repository
class EtaStore {
    private static final String ALL = """
            with of_domains as (
                select revision, created_at, body from domain_eta join planner_lease on name = 'planner/' || domain)
            select revision, created_at as made_at, body from of_domains
            union all
            select revision, created_at as made_at, body from eta where not exists (select from of_domains)
            """;
    private static final String REPLACE = """
            with stored as (
                insert into %1$s as before (%2$s, revision, created_at, body) values (:key, :revision, now(), :body)
                on conflict (%2$s) do update
                    set revision = excluded.revision, created_at = excluded.created_at, body = excluded.body
                    where before.revision <= excluded.revision or before.created_at < now() - interval '1 hour'
                returning revision)
            select pg_notify(:channel, revision::text) from stored
            """;

    /** Key of the record of the undivided state, without planning domains. */
    private static final String WHOLE = "";

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
        return jdbc.sql("select max(made_at) as made_at from (" + ALL + ") all_of_them")
                .query((row, index) -> Optional.ofNullable(Rows.instant(row, "made_at")))
                .single();
    }

    /** Returns the newest estimates: one entry for each planning domain, or one entry for the undivided state. */
    public List<StoredEtas> all() {
        return jdbc.sql(ALL).query(RecordMapper.of(StoredEtas.class)).list();
    }

    /**
     * Replaces the estimates of a planning domain, or of the undivided state if {@code domain} is null, and notifies
     * every replica. Does nothing if another planner has stored estimates for a later plan in the last hour.
     */
    public void replace(@Nullable String domain, long revision, String body) {
        jdbc.sql(domain == null ? REPLACE.formatted("eta", "singleton") : REPLACE.formatted("domain_eta", "domain"))
                .param("key", domain == null ? true : domain)
                .param("revision", revision)
                .param("body", body)
                .param("channel", NotificationChannel.ESTIMATES)
                .query(row -> {});
    }

    /**
     * Returns the record of how earlier estimates of a planning domain compared with reality, as JSON. If there is
     * none, or if {@code domain} is null, returns that of the undivided state.
     */
    public Optional<String> accuracy(@Nullable String domain) {
        return jdbc.sql("select body from eta_record where domain in (?, ?) order by domain desc limit 1")
                .params(domain == null ? WHOLE : domain, WHOLE)
                .query(String.class)
                .optional();
    }

    /** Stores the record of a domain, unless another planner has stored one for a later plan in the last hour. */
    public void keepAccuracy(@Nullable String domain, long revision, String body) {
        jdbc.sql("""
                        insert into eta_record as before (domain, revision, updated_at, body) values (?, ?, now(), ?)
                        on conflict (domain) do update
                            set revision = excluded.revision, updated_at = excluded.updated_at, body = excluded.body
                            where before.revision <= excluded.revision or before.updated_at < now() - interval '1 hour'
                        """).params(domain == null ? WHOLE : domain, revision, body).update();
    }
}

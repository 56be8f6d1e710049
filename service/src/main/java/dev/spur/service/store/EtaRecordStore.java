package dev.spur.service.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What became of earlier estimates, as JSON. */
@Repository
public class EtaRecordStore {
    /** Stands for the whole state, where there are no planning domains. */
    private static final String WHOLE = "";

    private final JdbcClient jdbc;

    EtaRecordStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The record of a planning domain; that of the whole state if it has none yet, or if {@code domain} is null. */
    public Optional<String> read(@Nullable String domain) {
        return jdbc.sql("select body from eta_record where domain in (?, ?) order by domain desc limit 1")
                .params(domain == null ? WHOLE : domain, WHOLE)
                .query(String.class)
                .optional();
    }

    /** Keeps the record of a domain, unless another planner has kept one for a later plan in the last hour. */
    public void keep(@Nullable String domain, long revision, String body) {
        jdbc.sql("""
                        insert into eta_record as before (domain, revision, updated_at, body) values (?, ?, now(), ?)
                        on conflict (domain) do update
                            set revision = excluded.revision, updated_at = excluded.updated_at, body = excluded.body
                            where before.revision <= excluded.revision or before.updated_at < now() - interval '1 hour'
                        """).params(domain == null ? WHOLE : domain, revision, body).update();
    }
}

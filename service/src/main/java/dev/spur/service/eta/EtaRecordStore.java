package dev.spur.service.eta;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Records of how earlier estimates compared with reality, as JSON. */
@Repository
class EtaRecordStore {
    /** Key of the record of the undivided state, without planning domains. */
    private static final String WHOLE = "";

    private final JdbcClient jdbc;

    EtaRecordStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the record of a planning domain. If it has none, or if {@code domain} is null, returns the record of the
     * undivided state.
     */
    public Optional<String> read(@Nullable String domain) {
        return jdbc.sql("select body from eta_record where domain in (?, ?) order by domain desc limit 1")
                .params(domain == null ? WHOLE : domain, WHOLE)
                .query(String.class)
                .optional();
    }

    /** Stores the record of a domain, unless another planner has stored one for a later plan in the last hour. */
    public void keep(@Nullable String domain, long revision, String body) {
        jdbc.sql("""
                        insert into eta_record as before (domain, revision, updated_at, body) values (?, ?, now(), ?)
                        on conflict (domain) do update
                            set revision = excluded.revision, updated_at = excluded.updated_at, body = excluded.body
                            where before.revision <= excluded.revision or before.updated_at < now() - interval '1 hour'
                        """).params(domain == null ? WHOLE : domain, revision, body).update();
    }
}

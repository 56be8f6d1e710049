package dev.spur.service.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Who changed what. */
@Repository
public class AuditStore {
    private final JdbcClient jdbc;

    AuditStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A change.
     *
     * @param principal name of who made it
     * @param credential how it has shown who it is
     * @param address from where
     * @param requestId by which the log knows the request
     * @param operation id of the operation
     * @param kind of what was changed
     * @param object its id or name
     * @param change members that differ, before and after, as JSON
     */
    public record Change(
            String principal,
            String credential,
            String address,
            String requestId,
            String operation,
            String kind,
            String object,
            String change) {}

    /**
     * A change that was put down.
     *
     * @param id its number, ascending
     * @param at when, by the clock of the database
     * @param change the change
     */
    public record Row(long id, Instant at, Change change) {}

    /**
     * Which changes to list; what is null is not asked for. Times are the first that is in, and the first that is out.
     */
    public record Filter(
            @Nullable String principal,
            @Nullable String operation,
            @Nullable String kind,
            @Nullable String object,
            @Nullable Instant since,
            @Nullable Instant until) {}

    /** Puts a change down; belongs into its transaction. */
    public void add(Change change) {
        jdbc.sql("""
                        insert into audit_entry
                            (principal, credential, address, request_id, operation, kind, object, change)
                        values (?, ?, ?, ?, ?, ?, ?, cast(? as jsonb))
                        """)
                .params(
                        change.principal(),
                        change.credential(),
                        change.address(),
                        change.requestId(),
                        change.operation(),
                        change.kind(),
                        change.object(),
                        change.change())
                .update();
    }

    /** The newest changes before number {@code before}. */
    public List<Row> before(Filter filter, long before, int limit) {
        StringBuilder sql = new StringBuilder("""
                select id, at, principal, credential, address, request_id, operation, kind, object, change::text as change
                from audit_entry where id < ?
                """);
        List<Object> parameters = new ArrayList<>(List.of(before));
        narrow(sql, parameters, "principal = ?", filter.principal());
        narrow(sql, parameters, "operation = ?", filter.operation());
        narrow(sql, parameters, "kind = ?", filter.kind());
        narrow(sql, parameters, "object = ?", filter.object());
        narrow(sql, parameters, "at >= ?", JobStore.utc(filter.since()));
        narrow(sql, parameters, "at < ?", JobStore.utc(filter.until()));
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by id desc limit ?").toString())
                .params(parameters)
                .query((row, index) -> read(row))
                .list();
    }

    private static void narrow(StringBuilder sql, List<Object> parameters, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(" and ").append(condition);
            parameters.add(value);
        }
    }

    /** Forgets changes that are older than {@code days}. */
    public void forget(int days) {
        jdbc.sql("delete from audit_entry where at < now() - make_interval(days => ?)")
                .param(days)
                .update();
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getLong("id"),
                Objects.requireNonNull(Rows.instant(row, "at")).truncatedTo(ChronoUnit.MILLIS),
                new Change(
                        row.getString("principal"),
                        row.getString("credential"),
                        row.getString("address"),
                        row.getString("request_id"),
                        row.getString("operation"),
                        row.getString("kind"),
                        row.getString("object"),
                        row.getString("change")));
    }
}

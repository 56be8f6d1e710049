package dev.spur.service.web;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Audit log of all changes. */
@Repository
class AuditStore {
    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    AuditStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /**
     * Change of an object.
     *
     * @param principal name of the principal that made the change
     * @param credential kind of credential of the principal
     * @param address remote address of the request
     * @param requestId id of the request in the log
     * @param kind kind of the changed object
     * @param object id or name of the changed object
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
            @JsonRawValue String change) {}

    /**
     * Entry of the audit log.
     *
     * @param id number of the entry, ascending
     * @param at time of the change, by the clock of the database
     * @param entry the change
     */
    public record Row(long id, Instant at, @JsonUnwrapped Change entry) {}

    /**
     * Filter of a list of changes. A null member does not restrict the list. {@code since} is inclusive, {@code until}
     * exclusive.
     */
    public record Filter(
            @Nullable String principal,
            @Nullable String operation,
            @Nullable String kind,
            @Nullable String object,
            @Nullable Instant since,
            @Nullable Instant until) {}

    /** Appends a change. Must run in the transaction of the change. */
    @Transactional(propagation = Propagation.MANDATORY)
    void add(Change change) {
        StatementBatch batch = new StatementBatch(statements);
        add(batch, change);
        batch.execute();
    }

    /** Adds a change to statements of the transaction of the change. */
    static void add(StatementBatch batch, Change change) {
        batch.add("""
                        insert into audit_entry
                            (principal, credential, address, request_id, operation, kind, object, change)
                        values (:auditPrincipal, :auditCredential, :auditAddress, :auditRequest, :auditOperation, :auditKind,
                            :auditObject, cast(:auditChange as jsonb))
                        """)
                .with("auditPrincipal", change.principal())
                .with("auditCredential", change.credential())
                .with("auditAddress", change.address())
                .with("auditRequest", change.requestId())
                .with("auditOperation", change.operation())
                .with("auditKind", change.kind())
                .with("auditObject", change.object())
                .with("auditChange", change.change());
    }

    /** Returns the newest changes with a number below {@code before}. */
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
        narrow(sql, parameters, "at >= ?", Rows.utc(filter.since()));
        narrow(sql, parameters, "at < ?", Rows.utc(filter.until()));
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by id desc limit ?").toString())
                .params(parameters)
                .query(RecordMapper.of(Row.class))
                .list();
    }

    private static void narrow(StringBuilder sql, List<Object> parameters, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(" and ").append(condition);
            parameters.add(value);
        }
    }
}

package dev.spur.service.store;

import dev.spur.service.security.Role;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tokens, known by the hash of their secret. */
@Repository
public class TokenStore {
    private static final String COLUMNS =
            "seq, id, name, role, tenants, node, created_at, created_by, expires_at, revoked_at, last_used_at";
    private static final String COUNTS = "revoked_at is null and (expires_at is null or expires_at > now())";
    /** Any number: of replicas that start together one issues the first token. */
    private static final int FIRST_LOCK = 7_406_002;

    private final JdbcClient jdbc;

    TokenStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A token that is to be issued.
     *
     * @param id its id
     * @param name by which its caller is known
     * @param hash SHA-256 of its secret, in hexadecimal digits
     * @param role what its caller may do
     * @param tenants the tenants that its caller is confined to; null for all
     * @param node the node that its caller is confined to; null for all
     * @param createdBy name of who has it issued
     * @param seconds for how long it counts; null for as long as it is not revoked
     */
    public record NewToken(
            String id,
            String name,
            String hash,
            Role role,
            @Nullable List<String> tenants,
            @Nullable String node,
            String createdBy,
            @Nullable Long seconds) {}

    /**
     * A token.
     *
     * @param seq its number, ascending
     * @param id its id
     * @param name by which its caller is known
     * @param role what its caller may do
     * @param tenants the tenants that its caller is confined to; null for all
     * @param node the node that its caller is confined to; null for all
     * @param createdAt when it was issued
     * @param createdBy name of who had it issued
     * @param expiresAt when it ends; null if it does not
     * @param revokedAt when it was revoked; null if it was not
     * @param lastUsedAt when it was last used, to a minute; null if it never was
     */
    public record Row(
            long seq,
            String id,
            String name,
            Role role,
            @Nullable List<String> tenants,
            @Nullable String node,
            Instant createdAt,
            String createdBy,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt) {}

    /** Adds a token; empty if another one that is not revoked has its name. */
    public Optional<Row> add(NewToken token) {
        return jdbc.sql("insert into access_token (id, name, hash, role, tenants, node, created_by, expires_at) "
                        + "values (:id, :name, :hash, :role, cast(:tenants as text[]), :node, :by, "
                        + "now() + make_interval(secs => cast(:seconds as double precision))) "
                        + "on conflict do nothing returning "
                        + COLUMNS)
                .param("id", token.id())
                .param("name", token.name())
                .param("hash", token.hash())
                .param("role", token.role().name())
                .param(
                        "tenants",
                        token.tenants() == null ? null : token.tenants().toArray(String[]::new))
                .param("node", token.node())
                .param("by", token.createdBy())
                .param("seconds", token.seconds())
                .query((row, index) -> read(row))
                .optional();
    }

    /** The token with the hash, if it counts now. That it is used is put down, at most once a minute. */
    public Optional<Row> use(String hash) {
        Optional<Row> found = jdbc.sql("select " + COLUMNS + " from access_token where hash = ? and " + COUNTS)
                .param(hash)
                .query((row, index) -> read(row))
                .optional();
        found.ifPresent(token -> jdbc.sql("""
                        update access_token set last_used_at = now()
                        where id = ? and (last_used_at is null or last_used_at < now() - interval '1 minute')
                        """).param(token.id()).update());
        return found;
    }

    /** The newest tokens before number {@code before}. */
    public List<Row> before(long before, int limit) {
        return jdbc.sql("select " + COLUMNS + " from access_token where seq < ? order by seq desc limit ?")
                .params(before, limit)
                .query((row, index) -> read(row))
                .list();
    }

    /** One token; it stays as it is until the transaction ends. */
    public Optional<Row> lock(String id) {
        return jdbc.sql("select " + COLUMNS + " from access_token where id = ? for update")
                .param(id)
                .query((row, index) -> read(row))
                .optional();
    }

    /** Revokes a token, and tells every replica when the transaction commits. */
    public void revoke(String id) {
        jdbc.sql("update access_token set revoked_at = now() where id = ? and revoked_at is null")
                .param(id)
                .update();
        jdbc.sql("select pg_notify('" + NotificationChannel.TOKENS + "', ?)")
                .param(id)
                .query(row -> {});
    }

    /** True if a token was ever issued. */
    public boolean any() {
        return jdbc.sql("select exists (select from access_token)")
                .query(Boolean.class)
                .single();
    }

    /** True if some token of an operator counts now. Whoever asks next waits for the end of the transaction. */
    public boolean anyOperator() {
        jdbc.sql("select pg_advisory_xact_lock(?)").param(FIRST_LOCK).query(row -> {});
        return jdbc.sql("select exists (select from access_token where role = 'OPERATOR' and " + COUNTS + ")")
                .query(Boolean.class)
                .single();
    }

    /** Forgets tokens that ended more than {@code days} ago. */
    public void forget(int days) {
        jdbc.sql("delete from access_token where least(revoked_at, expires_at) < now() - make_interval(days => ?)")
                .param(days)
                .update();
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getLong("seq"),
                row.getString("id"),
                row.getString("name"),
                Role.valueOf(row.getString("role")),
                row.getArray("tenants") == null ? null : Rows.strings(row, "tenants"),
                row.getString("node"),
                Objects.requireNonNull(millis(row, "created_at")),
                row.getString("created_by"),
                millis(row, "expires_at"),
                millis(row, "revoked_at"),
                millis(row, "last_used_at"));
    }

    private static @Nullable Instant millis(ResultSet row, String column) throws SQLException {
        Instant time = Rows.instant(row, column);
        return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS);
    }
}

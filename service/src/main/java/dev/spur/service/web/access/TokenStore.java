package dev.spur.service.web.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Access tokens, stored by the hash of their secret. */
@Repository
public class TokenStore {
    private static final String COLUMNS =
            "seq, id, name, role, tenants, node, created_at, created_by, expires_at, revoked_at, last_used_at";
    private static final String COUNTS = "revoked_at is null and (expires_at is null or expires_at > now())";
    /**
     * Arbitrary key of the advisory lock that serializes replicas at startup, so that only one issues the first token.
     */
    private static final int FIRST_LOCK = 7_406_002;

    private final JdbcClient jdbc;

    TokenStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Token to issue.
     *
     * @param name name of its principal
     * @param hash SHA-256 of its secret, in hexadecimal digits
     * @param role role of its principal
     * @param tenants tenants that its principal is restricted to; null for all
     * @param node node that its principal is restricted to; null for all
     * @param createdBy name of the principal that issues it
     * @param seconds lifetime in seconds; null for no limit
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
     * Token as the API returns it, without its secret, which is not stored.
     *
     * @param seq number of the token, ascending
     * @param id id of the token
     * @param name name of its principal
     * @param role role of its principal
     * @param tenants tenants that its principal is restricted to; null for all
     * @param node node that its principal is restricted to; null for all
     * @param createdAt time of issue
     * @param createdBy name of the principal that issued it
     * @param expiresAt end of its lifetime; null for no limit
     * @param revokedAt time of the revocation; null if it was not revoked
     * @param lastUsedAt time of the last use, to a minute; null before the first use
     */
    public record Row(
            @JsonIgnore long seq,
            String id,
            String name,
            Role role,
            @Nullable List<String> tenants,
            @Nullable String node,
            Instant createdAt,
            String createdBy,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt) {
        /** Whether a token is accepted. */
        public enum State {
            ACTIVE,
            EXPIRED,
            REVOKED
        }

        public State stateAt(Instant now) {
            if (revokedAt != null) {
                return State.REVOKED;
            }
            return expiresAt != null && !expiresAt.isAfter(now) ? State.EXPIRED : State.ACTIVE;
        }
    }

    /** Adds a token. The result is empty if another token of the same name is not revoked. */
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
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /** Returns the token with the hash if it is valid. The time of use is stored at most once a minute. */
    public Optional<Row> use(String hash) {
        Optional<Row> found = jdbc.sql("select " + COLUMNS + " from access_token where hash = ? and " + COUNTS)
                .param(hash)
                .query(RecordMapper.of(Row.class))
                .optional();
        found.ifPresent(token -> jdbc.sql("""
                        update access_token set last_used_at = now()
                        where id = ? and (last_used_at is null or last_used_at < now() - interval '1 minute')
                        """).param(token.id()).update());
        return found;
    }

    /** Returns the newest tokens before number {@code before}. */
    public List<Row> before(long before, int limit) {
        return jdbc.sql("select " + COLUMNS + " from access_token where seq < ? order by seq desc limit ?")
                .params(before, limit)
                .query(RecordMapper.of(Row.class))
                .list();
    }

    /** Returns one token and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Row> lock(String id) {
        return jdbc.sql("select " + COLUMNS + " from access_token where id = ? for update")
                .param(id)
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /** Revokes a token and notifies every replica when the transaction commits. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void revoke(String id) {
        jdbc.sql("update access_token set revoked_at = now() where id = ? and revoked_at is null")
                .param(id)
                .update();
        jdbc.sql("select pg_notify('" + NotificationChannel.TOKENS + "', ?)")
                .param(id)
                .query(row -> {});
    }

    /** Returns true if a token was ever issued. */
    public boolean any() {
        return jdbc.sql("select exists (select from access_token)")
                .query(Boolean.class)
                .single();
    }

    /** Returns true if a token of an operator is valid. Concurrent calls wait for the end of the transaction. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean anyOperator() {
        jdbc.sql("select pg_advisory_xact_lock(?)").param(FIRST_LOCK).query(row -> {});
        return jdbc.sql("select exists (select from access_token where role = 'OPERATOR' and " + COUNTS + ")")
                .query(Boolean.class)
                .single();
    }
}

package dev.spur.service.webhook;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.Notifier;
import dev.spur.service.database.Rows;
import dev.spur.service.feed.EventPosition;
import dev.spur.service.security.AccessScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Webhooks. A change notifies the replicas, so that they send what is due. */
@Repository
class WebhookStore {
    private static final String COLUMNS = "seq, version, id, url, kinds, tenants, enabled, created_at, created_by";

    private final JdbcClient jdbc;
    private final Notifier notifier;

    WebhookStore(JdbcClient jdbc, Notifier notifier) {
        this.jdbc = jdbc;
        this.notifier = notifier;
    }

    /** Adds a webhook that begins after {@code position}. The result is empty if there are {@code most} already. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Webhook> add(
            String id, WebhookRequest wanted, String secret, String caller, EventPosition position, int most) {
        Optional<Webhook> added = jdbc.sql("""
                        insert into webhook
                            (id, url, kinds, tenants, secret, enabled, created_by, position_transaction, position_number)
                        select :id, :url, cast(:kinds as text[]), cast(:tenants as text[]), :secret, :enabled, :caller,
                            cast(:transaction as xid8), :number
                        where (select count(*) from webhook) < :most returning
                        """ + COLUMNS)
                .param("id", id)
                .param("url", wanted.url())
                .param("kinds", wanted.kinds().toArray(String[]::new))
                .param("tenants", array(wanted.tenants()))
                .param("secret", secret)
                .param("enabled", wanted.enabled())
                .param("caller", caller)
                .param("transaction", Long.toString(position.transaction()))
                .param("number", position.number())
                .param("most", most)
                .query((row, index) -> webhook(row))
                .optional();
        changed();
        return added;
    }

    private static String @Nullable [] array(@Nullable List<String> values) {
        return values == null ? null : values.toArray(String[]::new);
    }

    /** Replaces a webhook. One that is enabled again begins after {@code position}. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Webhook replace(String id, WebhookRequest wanted, EventPosition position) {
        Webhook replaced = jdbc.sql("""
                        update webhook set url = :url, kinds = cast(:kinds as text[]), tenants = cast(:tenants as text[]),
                            position_transaction = case when enabled then position_transaction else cast(:transaction as xid8) end,
                            position_number = case when enabled then position_number else :number end,
                            enabled = :enabled, version = version + 1
                        where id = :id returning
                        """ + COLUMNS)
                .param("id", id)
                .param("url", wanted.url())
                .param("kinds", wanted.kinds().toArray(String[]::new))
                .param("tenants", array(wanted.tenants()))
                .param("enabled", wanted.enabled())
                .param("transaction", Long.toString(position.transaction()))
                .param("number", position.number())
                .query((row, index) -> webhook(row))
                .single();
        changed();
        return replaced;
    }

    /** Deletes a webhook with its deliveries. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void delete(String id) {
        jdbc.sql("delete from webhook where id = ?").param(id).update();
    }

    /** Returns a webhook. */
    public Optional<Webhook> find(String id) {
        return jdbc.sql("select " + COLUMNS + " from webhook where id = ?")
                .param(id)
                .query((row, index) -> webhook(row))
                .optional();
    }

    /** Returns a webhook and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Webhook> lock(String id) {
        return jdbc.sql("select " + COLUMNS + " from webhook where id = ? for update")
                .param(id)
                .query((row, index) -> webhook(row))
                .optional();
    }

    /** Returns the first webhooks after number {@code after} whose tenants are within the scope. */
    public List<Webhook> list(AccessScope scope, long after, int limit) {
        Set<String> tenants = scope.tenants();
        return jdbc.sql("select " + COLUMNS + """
                         from webhook where seq > :after and (cast(:tenants as text[]) is null or tenants <@ cast(:tenants as text[]))
                        order by seq limit :limit
                        """)
                .param("after", after)
                .param("tenants", tenants == null ? null : tenants.toArray(String[]::new))
                .param("limit", limit)
                .query((row, index) -> webhook(row))
                .list();
    }

    /** True if a webhook is enabled. */
    public boolean anyEnabled() {
        return jdbc.sql("select exists (select from webhook where enabled)")
                .query(Boolean.class)
                .single();
    }

    /** Notifies every replica when the transaction commits. */
    public void changed() {
        notifier.send(NotificationChannel.EVENTS, "webhook");
    }

    private static Webhook webhook(ResultSet row) throws SQLException {
        Instant created = Objects.requireNonNull(Rows.instant(row, "created_at"));
        return new Webhook(
                row.getLong("seq"),
                row.getLong("version"),
                row.getString("id"),
                row.getString("url"),
                Rows.strings(row, "kinds"),
                row.getArray("tenants") == null ? null : Rows.strings(row, "tenants"),
                row.getBoolean("enabled"),
                created.truncatedTo(ChronoUnit.MILLIS),
                row.getString("created_by"));
    }
}

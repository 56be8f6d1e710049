package dev.spur.service.feeds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.Notifier;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
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

    /** Webhook as a caller defines it. Members as in the contract. */
    record WebhookRequest(
            String url, List<String> kinds, @Nullable List<String> tenants, boolean enabled) {
        private static final int NO_PORT = -1;
        private static final int MAX_PORT = 65_535;

        WebhookRequest {
            requireHttp(url);
            kinds = List.copyOf(kinds);
            tenants = tenants == null ? null : List.copyOf(tenants);
        }

        private static void requireHttp(String url) {
            try {
                URI uri = new URI(url);
                boolean http = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
                boolean port = uri.getPort() == NO_PORT || (uri.getPort() > 0 && uri.getPort() <= MAX_PORT);
                if (http
                        && port
                        && uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && uri.getRawFragment() == null) {
                    return;
                }
            } catch (URISyntaxException invalid) {
                throw refusal(url, invalid);
            }
            throw refusal(url, null);
        }

        private static IllegalArgumentException refusal(String url, @Nullable Exception cause) {
            return new IllegalArgumentException(
                    "url (%s) is not an absolute http or https URL with a port from 1 to 65535, without user and fragment"
                            .formatted(url),
                    cause);
        }
    }

    /** Webhook without its secret. Members as in the contract. */
    record Webhook(
            @JsonIgnore long seq,
            @JsonIgnore long version,
            String id,
            @JsonUnwrapped WebhookRequest request,
            Instant createdAt,
            String createdBy) {}

    /**
     * Adds a webhook that begins after {@code position}. The result is empty if there are {@code max} already, or
     * {@code maxPerCaller} of this caller.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Webhook> add(
            String id,
            WebhookRequest desired,
            String secret,
            String caller,
            EventPosition position,
            int max,
            int maxPerCaller) {
        Optional<Webhook> added = jdbc.sql("""
                        insert into webhook
                            (id, url, kinds, tenants, secret, enabled, created_by, position_transaction, position_number)
                        select :id, :url, cast(:kinds as text[]), cast(:tenants as text[]), :secret, :enabled, :caller,
                            cast(:transaction as xid8), :number
                        where (select count(*) from webhook) < :most
                            and (select count(*) from webhook where created_by = :caller) < :most_per_caller returning
                        """ + COLUMNS)
                .param("id", id)
                .params(RecordMapper.parameters(desired, List.of("url", "kinds", "tenants", "enabled")))
                .param("secret", secret)
                .param("caller", caller)
                .param("transaction", Long.toString(position.transaction()))
                .param("number", position.number())
                .param("most", max)
                .param("most_per_caller", maxPerCaller)
                .query(RecordMapper.of(Webhook.class))
                .optional();
        notifyReplicas();
        return added;
    }

    /** Replaces a webhook. One that is enabled again begins after {@code position}. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Webhook replace(String id, WebhookRequest desired, EventPosition position) {
        Webhook replaced = jdbc.sql("""
                        update webhook set url = :url, kinds = cast(:kinds as text[]), tenants = cast(:tenants as text[]),
                            position_transaction = case when enabled then position_transaction else cast(:transaction as xid8) end,
                            position_number = case when enabled then position_number else :number end,
                            enabled = :enabled, version = version + 1
                        where id = :id returning
                        """ + COLUMNS)
                .param("id", id)
                .params(RecordMapper.parameters(desired, List.of("url", "kinds", "tenants", "enabled")))
                .param("transaction", Long.toString(position.transaction()))
                .param("number", position.number())
                .query(RecordMapper.of(Webhook.class))
                .single();
        notifyReplicas();
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
                .query(RecordMapper.of(Webhook.class))
                .optional();
    }

    /** Returns a webhook and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Webhook> lock(String id) {
        return jdbc.sql("select " + COLUMNS + " from webhook where id = ? for update")
                .param(id)
                .query(RecordMapper.of(Webhook.class))
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
                .query(RecordMapper.of(Webhook.class))
                .list();
    }

    /** True if a webhook is enabled. */
    public boolean anyEnabled() {
        return jdbc.sql("select exists (select from webhook where enabled)")
                .query(Boolean.class)
                .single();
    }

    /** Notifies every replica when the transaction commits. */
    public void notifyReplicas() {
        notifier.send(NotificationChannel.WEBHOOKS, "");
    }
}

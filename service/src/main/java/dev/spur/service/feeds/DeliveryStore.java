package dev.spur.service.feeds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.feeds.WebhookSender.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Deliveries of webhooks. The first pending delivery of a webhook is sent next; a lease on the webhook ensures that
 * only one replica sends it.
 */
@Repository
class DeliveryStore {
    private static final String COLUMNS = """
            d.seq, d.body, d.id, d.event_id, d.kind, d.state, d.attempts, d.created_at, d.next_attempt_at, d.ended_at, d.last_status,
            d.last_error
            """;

    /**
     * Of the webhooks that are due, one whose tenants have the smallest number of claims comes first, so that slow
     * receivers of one tenant delay no other. A webhook without tenants counts for its creator.
     *
     * <p>Times that are far in the future come from before the clock of the database was set back. Far means twice the
     * usual time, because a statement sees rows of transactions that began after its now().
     */
    private static final String CLAIM = """
            update webhook set lease_holder = :holder, lease_expires_at = now() + make_interval(secs => :lease)
            where id = (
                select w.id from webhook w cross join lateral (
                    select next_attempt_at from webhook_delivery where webhook_id = w.id and state = 'PENDING'
                    order by (kind <> 'PING'), seq limit 1) head
                cross join lateral (
                    select count(*) as count from webhook o
                    where o.lease_holder is not null and o.lease_expires_at between now() and now() + 2 * make_interval(secs => :lease)
                        and coalesce(cast(o.tenants as text), o.created_by) = coalesce(cast(w.tenants as text), w.created_by)) claims
                where w.enabled and claims.count < :most
                    and (w.lease_holder is null or w.lease_expires_at not between now() and now() + 2 * make_interval(secs => :lease))
                    and head.next_attempt_at not between now() + interval '1 microsecond' and now() + 2 * make_interval(secs => :retry)
                order by claims.count, head.next_attempt_at limit 1 for update of w skip locked)
            returning lease_holder as holder, id as webhook, url, secret
            """;

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    DeliveryStore(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /** Delivery of an event to a webhook. Members as in the contract. */
    record WebhookDelivery(
            @JsonIgnore long seq,
            @JsonIgnore String body,
            String id,
            @Nullable String eventId,
            String kind,
            State state,
            int attempts,
            Instant createdAt,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant endedAt,
            @Nullable Integer lastStatus,
            @Nullable String lastError) {
        /** Kind of a test delivery. It has one attempt, and precedes all events. */
        static final String PING = "PING";

        /** State of a delivery. */
        enum State {
            /** An attempt is due or has been delayed. */
            PENDING,
            /** The receiver accepted it. */
            DELIVERED,
            /** All attempts failed. */
            DEAD
        }
    }

    /**
     * Webhook whose events are to be queued.
     *
     * @param position position of the last event that was compared with it
     */
    record Queue(String id, List<String> kinds, @Nullable List<String> tenants, EventPosition position, int pending) {}

    /** Counts the deliveries in a state. Ended deliveries count until their retention expires. */
    public long count(WebhookDelivery.State state) {
        return jdbc.sql("select count(*) from webhook_delivery where state = ?")
                .param(state.name())
                .query(Long.class)
                .single();
    }

    /** Locks the enabled webhooks that no other replica has locked. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<Queue> lockQueues() {
        return jdbc.sql("""
                        select id, kinds, tenants, position_transaction::text::bigint as transaction, position_number as number,
                            (select count(*) from webhook_delivery where webhook_id = webhook.id and state = 'PENDING') as pending
                        from webhook where enabled order by seq for update skip locked
                        """).query(RecordMapper.of(Queue.class)).list();
    }

    /** Queues events and moves the position of the webhook. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void queue(String webhook, List<ClusterEvent> events, EventPosition position) {
        batches.batchUpdate(
                "insert into webhook_delivery (id, webhook_id, event_id, kind, body, state, next_attempt_at) "
                        + "values (?, ?, ?, ?, ?, 'PENDING', now())",
                events.stream()
                        .map(event -> new Object[] {
                            UUID.randomUUID().toString(), webhook, event.id(), event.kind(), event.json()
                        })
                        .toList());
        jdbc.sql("update webhook set position_transaction = cast(? as xid8), position_number = ? where id = ?")
                .params(Long.toString(position.transaction()), position.number(), webhook)
                .update();
    }

    /** Queues a ping. */
    public WebhookDelivery ping(String webhook, String id, String body) {
        return jdbc.sql("""
                        insert into webhook_delivery as d (id, webhook_id, kind, body, state, next_attempt_at)
                        values (?, ?, 'PING', ?, 'PENDING', now()) returning
                        """ + COLUMNS)
                .params(id, webhook, body)
                .query(RecordMapper.of(WebhookDelivery.class))
                .single();
    }

    /** Queues an ended delivery again, with its id. The result is empty if the webhook has no such delivery. */
    public Optional<WebhookDelivery> repeat(String webhook, String id) {
        jdbc.sql("""
                        update webhook_delivery set state = 'PENDING', attempts = 0, next_attempt_at = now(), ended_at = null
                        where webhook_id = ? and id = ? and state <> 'PENDING'
                        """).params(webhook, id).update();
        return jdbc.sql("select " + COLUMNS + " from webhook_delivery d where webhook_id = ? and id = ?")
                .params(webhook, id)
                .query(RecordMapper.of(WebhookDelivery.class))
                .optional();
    }

    /** Returns the newest deliveries of a webhook before number {@code before}. */
    public List<WebhookDelivery> before(String webhook, long before, int limit) {
        return jdbc.sql("select " + COLUMNS
                        + " from webhook_delivery d where webhook_id = ? and seq < ? order by seq desc limit ?")
                .params(webhook, before, limit)
                .query(RecordMapper.of(WebhookDelivery.class))
                .list();
    }

    /** Webhook whose deliveries the caller may send while it has the lease. */
    record Claim(String holder, String webhook, String url, String secret) {}

    /**
     * Claims a webhook whose delivery is due.
     *
     * @param max maximum claims for webhooks of the same tenants
     */
    public Optional<Claim> claim(Duration lease, Duration maxRetry, int max) {
        return jdbc.sql(CLAIM)
                .param("most", max)
                .param("holder", UUID.randomUUID().toString())
                .param("lease", lease.toMillis() / 1000.0)
                .param("retry", maxRetry.toMillis() / 1000.0)
                .query(RecordMapper.of(Claim.class))
                .optional();
    }

    /** Extends the lease and returns the next delivery; empty if none is due, or if the lease was lost. */
    public Optional<WebhookDelivery> next(Claim claim, Duration lease, Duration maxRetry) {
        return jdbc.sql("""
                        with extended as (
                            update webhook set lease_expires_at = now() + make_interval(secs => ?)
                            where id = ? and lease_holder = ? and enabled returning id),
                        head as (
                            select d.* from webhook_delivery d join extended on webhook_id = extended.id where state = 'PENDING'
                            order by (kind <> 'PING'), d.seq limit 1)
                        select
                        """ + COLUMNS + """
                         from head d
                        where next_attempt_at not between now() + interval '1 microsecond' and now() + 2 * make_interval(secs => ?)
                        """)
                .params(lease.toMillis() / 1000.0, claim.webhook(), claim.holder(), maxRetry.toMillis() / 1000.0)
                .query(RecordMapper.of(WebhookDelivery.class))
                .optional();
    }

    /** Ends a claim. */
    public void release(Claim claim) {
        jdbc.sql("update webhook set lease_holder = null, lease_expires_at = null where id = ? and lease_holder = ?")
                .params(claim.webhook(), claim.holder())
                .update();
    }

    /**
     * Stores the result of an attempt.
     *
     * @param retry delay of the next attempt; null if there is none
     */
    public void store(WebhookDelivery delivery, Attempt attempt, @Nullable Duration retry) {
        WebhookDelivery.State state = attempt.error() == null
                ? WebhookDelivery.State.DELIVERED
                : retry == null ? WebhookDelivery.State.DEAD : WebhookDelivery.State.PENDING;
        jdbc.sql("""
                        update webhook_delivery set attempts = attempts + 1, last_status = :status, last_error = :error, state = :state,
                            next_attempt_at = now() + make_interval(secs => cast(:retry as double precision)),
                            ended_at = case when :state = 'PENDING' then null else now() end
                        where id = :id
                        """)
                .param("status", attempt.status())
                .param("error", attempt.error())
                .param("state", state.name())
                .param(
                        "retry",
                        state == WebhookDelivery.State.PENDING
                                ? Objects.requireNonNull(retry).toMillis() / 1000.0
                                : null)
                .param("id", delivery.id())
                .update();
    }
}

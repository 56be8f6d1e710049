package dev.spur.service.feeds;

import dev.spur.service.database.DaemonThreads;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.feeds.DeliveryStore.WebhookDelivery;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.access.AccessScopeStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Queues events as deliveries and sends them, on every replica, which polls the log while webhooks are enabled. The log
 * of events is the queue of a webhook that falls behind: at most {@link #MAX_PENDING} deliveries are stored ahead. A
 * failed attempt is repeated after {@link #delayAfter}, one whose result is lost with the replica when the lease ends,
 * both with the same id.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // tasks log their own exceptions
class WebhookDispatcher implements NotificationListener {
    /** Webhooks to which a replica sends at the same time. */
    static final int THREADS = 16;
    /** Webhooks of the same tenants to which all replicas send at the same time. */
    private static final int MAX_CLAIMS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(WebhookDispatcher.class);
    private static final int MAX_PENDING = 100;
    private static final int BATCH = 500;
    private static final long COLLECTION_MILLIS = 50;
    private static final long POLL_MILLIS = 250;

    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final EventStore events;
    private final AccessScopeStore scopes;
    private final WebhookSender sender;
    private final WebhookProperties properties;
    private final Duration lease;
    /** Transaction that queues events; requests to receivers are outside of it. */
    private final TransactionTemplate transaction;

    private final ScheduledExecutorService queueing = DaemonThreads.scheduler(1, "spur-webhooks");
    private final ScheduledExecutorService sending = DaemonThreads.scheduler(THREADS, "spur-webhook");
    private final Semaphore idle = new Semaphore(THREADS);
    private final AtomicBoolean due = new AtomicBoolean();
    /** False if there was no enabled webhook; a notification reports a change. */
    private volatile boolean enabled = true;

    WebhookDispatcher(
            WebhookStore webhooks,
            DeliveryStore deliveries,
            EventStore events,
            AccessScopeStore scopes,
            WebhookSender sender,
            WebhookProperties properties,
            TransactionTemplate transaction) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.events = events;
        this.scopes = scopes;
        this.sender = sender;
        this.properties = properties;
        this.lease = properties.timeout().multipliedBy(2).plusSeconds(5);
        this.transaction = transaction;
    }

    @Override
    public String channel() {
        return NotificationChannel.WEBHOOKS;
    }

    @Override
    public void onNotification(String payload) {
        enabled = true;
        dispatchSoon();
    }

    /** Events and delayed attempts become due without a notification. */
    @Scheduled(fixedDelay = POLL_MILLIS)
    void dispatchSoon() {
        if (enabled && due.compareAndSet(false, true)) {
            queueing.schedule(this::dispatch, COLLECTION_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void dispatch() {
        due.set(false);
        try {
            enabled = false; // first, so that a notification during the read counts
            if (!webhooks.anyEnabled()) {
                return;
            }
            enabled = true;
            if (Boolean.TRUE.equals(transaction.execute(status -> queueEvents()))) {
                dispatchSoon();
            }
            claimNext();
        } catch (RuntimeException away) {
            LOG.warn("webhooks could not be served, next attempt in a second: {}", away.getMessage());
        }
    }

    /** Queues the events that follow the position of each webhook. Returns true if there may be more. */
    private boolean queueEvents() {
        Map<EventPosition, EventStore.Part> parts = new HashMap<>();
        boolean more = false;
        for (DeliveryStore.Queue queue : deliveries.lockQueues()) {
            if (queue.pending() >= MAX_PENDING) {
                continue;
            }
            EventStore.Part part = parts.computeIfAbsent(queue.position(), position -> events.after(position, BATCH));
            more |= part.waiting() || part.events().size() == BATCH;
            if (!part.events().isEmpty()) {
                deliveries.queue(
                        queue.id(),
                        part.events().stream().filter(filter(queue)).toList(),
                        part.events().get(part.events().size() - 1).position());
            }
        }
        return more;
    }

    private EventFilter filter(DeliveryStore.Queue queue) {
        Set<String> tenants = queue.tenants() == null ? null : scopes.withAllBelow(queue.tenants());
        return new EventFilter(new AccessScope(tenants, null), null, null, Set.copyOf(queue.kinds()));
    }

    private void claimNext() {
        while (idle.tryAcquire()) {
            Optional<DeliveryStore.Claim> claim = deliveries.claim(lease, properties.maxRetry(), MAX_CLAIMS);
            if (claim.isEmpty()) {
                idle.release();
                return;
            }
            sending.execute(() -> send(claim.get()));
        }
    }

    /** Sends the deliveries of a webhook one after another, until none is due. */
    private void send(DeliveryStore.Claim claim) {
        try {
            for (Optional<WebhookDelivery> next = next(claim); next.isPresent(); next = next(claim)) {
                WebhookDelivery delivery = next.get();
                WebhookSender.Attempt attempt =
                        sender.send(claim.url(), claim.secret(), delivery.id(), delivery.body());
                deliveries.store(delivery, attempt, delayAfter(delivery));
            }
            deliveries.release(claim);
        } catch (RuntimeException away) {
            LOG.warn("deliveries of webhook {} stop until its lease ends: {}", claim.webhook(), away.getMessage());
        } finally {
            idle.release();
            dispatchSoon();
        }
    }

    private Optional<WebhookDelivery> next(DeliveryStore.Claim claim) {
        return deliveries.next(claim, lease, properties.maxRetry());
    }

    /** Exponential delay with jitter of a tenth after a failed attempt; null after the last one. */
    private @Nullable Duration delayAfter(WebhookDelivery delivery) {
        if (delivery.kind().equals(WebhookDelivery.PING) || delivery.attempts() + 1 >= properties.maxAttempts()) {
            return null;
        }
        double millis = Math.min(
                (double) properties.maxRetry().toMillis(),
                (double) properties.firstRetry().toMillis() * Math.pow(2, delivery.attempts()));
        return Duration.ofMillis(Math.round(millis * ThreadLocalRandom.current().nextDouble(0.9, 1.0)));
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        queueing.shutdownNow();
        sending.shutdownNow();
    }
}

package dev.spur.service.plan;

import dev.spur.service.contract.PollRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.longpoll.LongPoll;
import dev.spur.service.longpoll.LongPollProperties;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Long-poll feed of the current plan, which is kept as bytes. New plans are detected by database notifications and, in
 * case one is missed, by polling.
 */
@Component
public class PlanFeed implements NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFeed.class);

    private final PlanStore plans;
    private final ScopedPlanView views;
    private final LongPollProperties limits;
    private final TaskScheduler scheduler;
    private final LongPoll<String, PublishedPlan> polls;
    private final AtomicBoolean refreshDue = new AtomicBoolean();
    private volatile PublishedPlan published = PublishedPlan.NONE;

    PlanFeed(PlanStore plans, ScopedPlanView views, LongPollProperties limits, TaskScheduler scheduler) {
        this.plans = plans;
        this.views = views;
        this.limits = limits;
        this.scheduler = scheduler;
        this.polls = new LongPoll<>(
                keys -> {
                    PublishedPlan now = published;
                    return keys.stream().collect(Collectors.toMap(Function.identity(), key -> now));
                },
                limits,
                scheduler);
    }

    /** A poll for the plan, as far as it is in {@code scope}. The ETag is weak, because compressed bytes differ. */
    private final class PlanPoll implements LongPoll.Poll<PublishedPlan> {
        private final @Nullable Long known;
        private final AccessScope scope;
        private final String codings;

        private PlanPoll(@Nullable Long known, AccessScope scope, String codings) {
            this.known = known;
            this.scope = scope;
            this.codings = codings;
        }

        @Override
        public boolean isNews(PublishedPlan plan) {
            return plan.isNews(known, plan.revision());
        }

        @Override
        public ResponseEntity<byte[]> news(PublishedPlan plan) {
            PlanDocument document = plan.documentIfAny().orElseThrow(() -> ProblemException.notFound("plan", "yet"));
            PublishedPlan.Body body =
                    scope.isAll() ? plan.plan() : PublishedPlan.Body.of(plan.revision(), views.within(scope, document));
            ResponseEntity.BodyBuilder response = headers(HttpStatus.OK, plan).contentType(MediaType.APPLICATION_JSON);
            return ContentCodings.takeGzip(codings)
                    ? response.header(HttpHeaders.CONTENT_ENCODING, "gzip").body(body.zipped())
                    : response.body(body.json());
        }

        @Override
        public ResponseEntity<byte[]> unchanged() {
            return headers(HttpStatus.NOT_MODIFIED, published).build();
        }

        private ResponseEntity.BodyBuilder headers(HttpStatus status, PublishedPlan plan) {
            return PlanFeed.headers(status, plan, "W/\"" + plan.revision() + "\"")
                    .varyBy(HttpHeaders.ACCEPT_ENCODING);
        }
    }

    /** A poll for the part of a node, which is small and never compressed. */
    private final class NodePoll implements LongPoll.Poll<PublishedPlan> {
        private final @Nullable Long known;
        private final String node;

        private NodePoll(@Nullable Long known, String node) {
            this.known = known;
            this.node = node;
        }

        @Override
        public boolean isNews(PublishedPlan plan) {
            return plan.isNews(known, plan.revisionOf(node));
        }

        @Override
        public ResponseEntity<byte[]> news(PublishedPlan plan) {
            return headers(HttpStatus.OK, plan)
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(plan.part(node).json());
        }

        @Override
        public ResponseEntity<byte[]> unchanged() {
            return headers(HttpStatus.NOT_MODIFIED, published).build();
        }

        private ResponseEntity.BodyBuilder headers(HttpStatus status, PublishedPlan plan) {
            return PlanFeed.headers(status, plan, "\"" + plan.revisionOf(node) + "\"");
        }
    }

    private static ResponseEntity.BodyBuilder headers(HttpStatus status, PublishedPlan plan, String tag) {
        return ResponseEntity.status(status)
                .eTag(tag)
                .cacheControl(CacheControl.noCache())
                .header("Plan-Revision", Long.toString(plan.revision()));
    }

    /** The current plan as known by this replica; empty before the first plan. */
    public Optional<PlanDocument> current() {
        return published.documentIfAny();
    }

    /** Number of waiting callers. */
    public int waiting() {
        return polls.waiting();
    }

    /**
     * The response to a poll for the plan: at once, or when a new plan exists or the wait ends.
     *
     * @param codings value of Accept-Encoding; empty if absent
     */
    Object poll(PollRequest request, AccessScope scope, String codings) {
        return poll("", request, new PlanPoll(request.known(), scope, codings));
    }

    /** The response to a poll for the part of a node. */
    Object poll(PollRequest request, String node) {
        return poll(node, request, new NodePoll(request.known(), node));
    }

    private Object poll(String key, PollRequest request, LongPoll.Poll<PublishedPlan> poll) {
        if (request.known() != null && request.known() > published.revision()) {
            refresh();
        }
        return polls.poll(key, request.maxWait(), poll);
    }

    @Override
    public String channel() {
        return NotificationChannel.PLAN;
    }

    @Override
    public void heard(String payload) {
        refreshSoon();
    }

    @Override
    public void reconnected() {
        refreshSoon();
    }

    @EventListener(ContextRefreshedEvent.class)
    void start() {
        refresh();
        scheduler.scheduleWithFixedDelay(this::refresh, limits.refreshInterval());
    }

    private void refreshSoon() {
        if (refreshDue.compareAndSet(false, true)) {
            scheduler.schedule(this::refresh, Instant.now());
        }
    }

    /** Reads the current plan if it has changed. Also called for a caller that knows a newer plan than this replica. */
    private synchronized void refresh() {
        refreshDue.set(false);
        try {
            if (!published.is(plans.newest())) {
                PublishedPlan before = published;
                published = plans.current()
                        .map(stored -> PublishedPlan.of(stored, before))
                        .orElse(PublishedPlan.NONE);
                polls.changed();
            }
        } catch (RuntimeException away) {
            LOG.warn("the current plan could not be read; serving the last one: {}", away.getMessage());
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        polls.close();
    }
}

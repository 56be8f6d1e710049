package dev.spur.service.plans;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.LongPoll;
import dev.spur.service.web.LongPollProperties;
import dev.spur.service.web.contract.PollRequest;
import dev.spur.service.web.contract.ProblemException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.TaskRejectedException;
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
@SuppressWarnings("FutureReturnValueIgnored") // refreshes log their own exceptions
public class PlanFeed implements NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFeed.class);

    private static final Pattern REFUSED_CODING =
            Pattern.compile(";\\s*q\\s*=\\s*0(\\.0*)?\\s*$", Pattern.CASE_INSENSITIVE);

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

    /**
     * A poll for the plan as far as it is in scope, or for the part of a node.
     *
     * @param known revision that the caller has; null if none
     * @param node node of the part; empty for the plan. The part is small and never compressed.
     * @param codings value of Accept-Encoding; empty if absent
     */
    private record PlanPoll(PlanFeed feed, @Nullable Long known, String node, AccessScope scope, String codings)
            implements LongPoll.Poll<PublishedPlan> {
        /** A caller with a revision that does not exist yet saw the database before a restore, and must start again. */
        @Override
        public boolean isNews(PublishedPlan plan) {
            return known == null || known > plan.revision() || known < plan.revisionOf(node);
        }

        @Override
        public ResponseEntity<byte[]> response(PublishedPlan plan) {
            PublishedPlan.Body body = body(plan);
            ResponseEntity.BodyBuilder response = headers(HttpStatus.OK, plan).contentType(MediaType.APPLICATION_JSON);
            return acceptsGzip(codings)
                    ? response.header(HttpHeaders.CONTENT_ENCODING, "gzip").body(body.zip())
                    : response.body(body.json());
        }

        private PublishedPlan.Body body(PublishedPlan plan) {
            if (!node.isEmpty()) {
                return plan.part(node);
            }
            PlanDocument document = plan.documentIfAny().orElseThrow(() -> ProblemException.notFound("plan", "yet"));
            return scope.isAll()
                    ? plan.plan()
                    : PublishedPlan.Body.of(plan.revision(), feed.views.within(scope, document));
        }

        @Override
        public ResponseEntity<byte[]> notModified() {
            return headers(HttpStatus.NOT_MODIFIED, feed.published).build();
        }

        /** The ETag of the plan is weak, because compressed bytes differ. */
        private ResponseEntity.BodyBuilder headers(HttpStatus status, PublishedPlan plan) {
            String tag = "\"%d\"".formatted(plan.revisionOf(node));
            ResponseEntity.BodyBuilder response = ResponseEntity.status(status)
                    .cacheControl(CacheControl.noCache())
                    .header("Plan-Revision", Long.toString(plan.revision()));
            return node.isEmpty() ? response.eTag("W/" + tag).varyBy(HttpHeaders.ACCEPT_ENCODING) : response.eTag(tag);
        }
    }

    /**
     * True if this value of {@code Accept-Encoding} allows gzip (RFC 9110, 12.5.3); false if it is empty, because such
     * a client may not support it.
     */
    static boolean acceptsGzip(String value) {
        boolean any = false;
        for (String element : value.split(",", -1)) {
            boolean taken = !REFUSED_CODING.matcher(element).find();
            String coding = element.split(";", 2)[0].strip();
            if (coding.equalsIgnoreCase("gzip")) {
                return taken;
            }
            any |= taken && coding.equals("*");
        }
        return any;
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
        return poll(request, new PlanPoll(this, request.known(), "", scope, codings));
    }

    /** The response to a poll for the part of a node. */
    Object poll(PollRequest request, String node) {
        return poll(request, new PlanPoll(this, request.known(), node, AccessScope.ALL, ""));
    }

    private Object poll(PollRequest request, PlanPoll poll) {
        if (request.known() != null && request.known() > published.revision()) {
            refresh();
        }
        return polls.poll(poll.node(), request.maxWait(), poll);
    }

    @Override
    public String channel() {
        return NotificationChannel.PLAN;
    }

    @Override
    public void onNotification(String payload) {
        refreshSoon();
    }

    @EventListener(ApplicationStartedEvent.class)
    void start() {
        refresh();
        scheduler.scheduleWithFixedDelay(this::refresh, limits.refreshInterval());
    }

    private void refreshSoon() {
        if (refreshDue.compareAndSet(false, true)) {
            try {
                scheduler.schedule(this::refresh, Instant.now());
            } catch (TaskRejectedException stopping) {
                LOG.debug("the service stops", stopping);
            }
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
                polls.notifyChange();
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

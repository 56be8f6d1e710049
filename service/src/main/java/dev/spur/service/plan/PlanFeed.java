package dev.spur.service.plan;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.store.NotificationChannel;
import dev.spur.service.store.NotificationListener;
import dev.spur.service.store.PlanStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Long-poll feed of the current plan. The plan is kept as bytes; a waiting caller costs one entry in a set and no
 * thread. New plans are detected by database notifications and, in case one is missed, by polling.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // tasks log their own exceptions
public class PlanFeed implements SmartLifecycle, NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFeed.class);
    private static final int BATCH = 64;
    /** Maximum response that the buffers of a connection accept without waiting for the client. */
    private static final int LARGE_ANSWER = 64 * 1024;

    private final PlanStore plans;
    private final FeedProperties properties;
    private final Set<PlanWaiter> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean refreshDue = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock;
    private final ExecutorService wakers;
    private volatile PublishedPlan edition = PublishedPlan.NONE;
    private volatile boolean running;

    PlanFeed(PlanStore plans, FeedProperties properties) {
        this.plans = plans;
        this.properties = properties;
        this.clock = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-feed"));
        clock.setRemoveOnCancelPolicy(true);
        this.wakers = Executors.newFixedThreadPool(properties.wakers(), DaemonThreads.named("spur-wake"));
    }

    /** The current plan as known by this replica; empty before the first plan. */
    public Optional<PlanDocument> current() {
        return edition.documentIfAny();
    }

    /** Number of waiting callers. */
    public int waiting() {
        return waiting.get();
    }

    @Override
    public void start() {
        running = true;
        long pause = properties.refreshInterval().toMillis();
        refresh();
        clock.scheduleWithFixedDelay(this::refresh, pause, pause, TimeUnit.MILLISECONDS);
    }

    /**
     * Responds to all waiting callers and stops accepting new ones. Called before the web server stops, which waits for
     * requests.
     */
    @Override
    public void stop() {
        running = false;
        PublishedPlan last = edition;
        waiters.forEach(waiter -> wake(waiter, last));
        clock.shutdownNow();
        wakers.shutdown();
        try {
            boolean ended = wakers.awaitTermination(5, TimeUnit.SECONDS);
            LOG.debug("responded to waiting callers: {}", ended);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
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

    /** Responds to a poll at once, or when a new plan exists or {@code waitSeconds} have passed. */
    void answer(Poll poll, long waitSeconds, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (poll.known() != null && poll.known() > edition.revision()) {
            refresh();
        }
        PublishedPlan now = edition;
        if (waitSeconds <= 0 || !running || poll.isNews(now)) {
            PlanResponseWriter.write(response, poll, now);
            return;
        }
        if (waiting.incrementAndGet() > properties.maxWaiters()) {
            waiting.decrementAndGet();
            throw ProblemException.of(ProblemType.UNAVAILABLE, "Too many polls wait.")
                    .withHeader(
                            "Retry-After",
                            Integer.toString(1 + ThreadLocalRandom.current().nextInt(5)));
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        PlanWaiter waiter = new PlanWaiter(poll, async);
        waiters.add(waiter);
        waiter.timeout(clock.schedule(() -> wake(waiter, edition), waitMillis(waitSeconds), TimeUnit.MILLISECONDS));
        if (!running || poll.isNews(edition)) {
            wake(waiter, edition);
        }
    }

    /** The requested wait minus up to a tenth, so that callers that came together do not return together. */
    private long waitMillis(long seconds) {
        long capped = Math.min(seconds * 1000, properties.maxWait().toMillis());
        return (long) (capped * (1 - 0.1 * ThreadLocalRandom.current().nextDouble()));
    }

    private void wake(PlanWaiter waiter, PublishedPlan with) {
        if (claim(waiter)) {
            wakers.execute(() -> waiter.answer(with));
        }
    }

    private boolean claim(PlanWaiter waiter) {
        if (!waiter.claim()) {
            return false;
        }
        waiters.remove(waiter);
        waiting.decrementAndGet();
        return true;
    }

    private void refreshSoon() {
        if (running && refreshDue.compareAndSet(false, true)) {
            clock.execute(this::refresh);
        }
    }

    /** Reads the current plan if it has changed. Also called for a caller that knows a newer plan than this replica. */
    private synchronized void refresh() {
        refreshDue.set(false);
        try {
            if (!edition.is(plans.newest())) {
                PublishedPlan before = edition;
                edition = plans.current()
                        .map(stored -> PublishedPlan.of(stored, before))
                        .orElse(PublishedPlan.NONE);
                wakeThoseWithNews(edition);
            }
        } catch (RuntimeException away) {
            LOG.warn("the current plan could not be read; serving the last one: {}", away.getMessage());
        }
    }

    private void wakeThoseWithNews(PublishedPlan news) {
        List<PlanWaiter> batch = new ArrayList<>(BATCH);
        for (PlanWaiter waiter : waiters) {
            if (!waiter.poll().isNews(news) || !claim(waiter)) {
                continue;
            }
            if (waiter.poll().answer(news).json().length > LARGE_ANSWER) {
                waiter.answerElsewhere(news);
                continue;
            }
            batch.add(waiter);
            if (batch.size() == BATCH) {
                answer(batch, news);
                batch = new ArrayList<>(BATCH);
            }
        }
        answer(batch, news);
    }

    private void answer(List<PlanWaiter> batch, PublishedPlan news) {
        if (!batch.isEmpty()) {
            wakers.execute(() -> batch.forEach(waiter -> waiter.answer(news)));
        }
    }
}

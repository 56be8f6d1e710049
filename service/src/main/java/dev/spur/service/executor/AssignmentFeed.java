package dev.spur.service.executor;

import dev.spur.service.background.Daemons;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.store.AssignmentReader;
import dev.spur.service.store.Channel;
import dev.spur.service.store.DatabaseListener;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells executors what to do, and lets them wait until that is something else. Whoever waits costs an entry in a set; when
 * the database says that something has changed, what all of them are to be told is read at once.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // tasks log what they throw
class AssignmentFeed implements SmartLifecycle, DatabaseListener {
    private static final Logger LOG = LoggerFactory.getLogger(AssignmentFeed.class);
    private static final long COLLECT_MILLIS = 10;

    private final AssignmentReader reader;
    private final ExecutorProperties properties;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean lookDue = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock;
    private volatile boolean running;

    AssignmentFeed(AssignmentReader reader, ExecutorProperties properties) {
        this.reader = reader;
        this.properties = properties;
        this.clock = new ScheduledThreadPoolExecutor(2, Daemons.named("spur-executors"));
        clock.setRemoveOnCancelPolicy(true);
    }

    /** Executors that wait here. */
    int waiting() {
        return waiting.size();
    }

    @Override
    public void start() {
        running = true;
        long pause = (long) (properties.refreshSeconds() * 1000);
        clock.scheduleWithFixedDelay(this::look, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Answers all who wait; comes before the web server stops, which waits for requests. */
    @Override
    public void stop() {
        running = false;
        waiting.forEach(caller -> wake(caller, null));
        clock.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String channel() {
        return Channel.EXECUTORS;
    }

    @Override
    public void heard(String payload) {
        lookSoon();
    }

    @Override
    public void reconnected() {
        lookSoon();
    }

    /** Answers a poll, now or, if the caller has the content, when it is another one or {@code seconds} are over. */
    void answer(
            String executor,
            @Nullable Long known,
            long seconds,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Directions now = directions(executor);
        if (known == null || known != now.revision() || seconds <= 0 || !running) {
            Waiting.write(response, known, now);
            return;
        }
        if (waiting.size() >= properties.maxWaiters()) {
            throw ProblemException.of(ProblemType.UNAVAILABLE, "Too many executors wait already.")
                    .withHeader("Retry-After", "5");
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        Waiting caller = new Waiting(executor, known, async);
        waiting.add(caller);
        caller.until(clock.schedule(() -> wake(caller, null), waitMillis(seconds), TimeUnit.MILLISECONDS));
        // what changed between reading and waiting was told to nobody
        lookSoon();
    }

    private static long waitMillis(long seconds) {
        return (long) (seconds * 1000 * (1 - 0.1 * ThreadLocalRandom.current().nextDouble()));
    }

    private Directions directions(String executor) {
        return Directions.of(executor, reader.read(List.of(executor)));
    }

    private void wake(Waiting caller, @Nullable Directions directions) {
        if (caller.claim()) {
            waiting.remove(caller);
            caller.answer(directions);
        }
    }

    private void lookSoon() {
        if (running && lookDue.compareAndSet(false, true)) {
            clock.schedule(this::look, COLLECT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        lookDue.set(false);
        List<Waiting> callers = List.copyOf(waiting);
        if (callers.isEmpty()) {
            return;
        }
        try {
            AssignmentReader.News news = reader.read(
                    callers.stream().map(Waiting::executor).distinct().toList());
            for (Waiting caller : callers) {
                Directions directions = Directions.of(caller.executor(), news);
                if (caller.isNews(directions)) {
                    wake(caller, directions);
                }
            }
        } catch (RuntimeException away) {
            LOG.warn("assignments could not be read, those who wait go on waiting: {}", away.getMessage());
        }
    }
}

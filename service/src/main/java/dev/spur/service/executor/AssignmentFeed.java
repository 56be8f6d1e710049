package dev.spur.service.executor;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.store.AssignmentReader;
import dev.spur.service.store.NotificationChannel;
import dev.spur.service.store.NotificationListener;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * Long-poll feed of assignments for executors. A waiting executor costs one entry in a set. When the database notifies
 * a change, the new assignments of all affected executors are read together.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // tasks log their own exceptions
class AssignmentFeed implements SmartLifecycle, NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(AssignmentFeed.class);
    private static final long COLLECT_MILLIS = 10;

    private final AssignmentReader reader;
    private final ExecutorProperties properties;
    private final WaiterRegistry room = new WaiterRegistry();
    private final AtomicBoolean lookDue = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock;
    private volatile boolean running;

    AssignmentFeed(AssignmentReader reader, ExecutorProperties properties) {
        this.reader = reader;
        this.properties = properties;
        this.clock = new ScheduledThreadPoolExecutor(2, DaemonThreads.named("spur-executors"));
        clock.setRemoveOnCancelPolicy(true);
    }

    /** Number of waiting executors. */
    int waiting() {
        return room.size();
    }

    @Override
    public void start() {
        running = true;
        long pause = properties.refreshInterval().toMillis();
        clock.scheduleWithFixedDelay(this::refreshAll, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Responds to all waiting executors. Called before the web server stops, which waits for requests. */
    @Override
    public void stop() {
        running = false;
        room.all().forEach(caller -> wake(caller, null));
        clock.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String channel() {
        return NotificationChannel.EXECUTORS;
    }

    @Override
    public void heard(String payload) {
        if (payload.isEmpty()) {
            room.allChanged();
        } else {
            room.changed(payload);
        }
        lookSoon();
    }

    @Override
    public void reconnected() {
        room.allChanged();
        lookSoon();
    }

    /**
     * Responds to a poll at once, or when the content changes or {@code seconds} have passed if the caller already has
     * the content.
     */
    void answer(
            String executor,
            @Nullable Long known,
            long seconds,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        while (true) {
            if (known != null && seconds > 0 && running && waits(executor, known, seconds, request)) {
                return;
            }
            ExecutorDesiredState now = directions(executor);
            if (known == null || known != now.revision() || seconds <= 0 || !running) {
                PollWaiter.write(response, known, now);
                return;
            }
            // the caller has the content; it waits unless the content has changed since it was read
        }
    }

    /** Registers a waiting caller if it has the current content. Returns true if it waits. */
    private boolean waits(String executor, long known, long seconds, HttpServletRequest request) {
        if (room.size() >= properties.maxWaiters()) {
            throw ProblemException.of(ProblemType.UNAVAILABLE, "Too many polls wait.")
                    .withHeader("Retry-After", "5");
        }
        return room.enter(executor, known, () -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            PollWaiter caller = new PollWaiter(executor, known, async);
            caller.until(clock.schedule(() -> wake(caller, null), waitMillis(seconds), TimeUnit.MILLISECONDS));
            return caller;
        });
    }

    private static long waitMillis(long seconds) {
        return (long) (seconds * 1000 * (1 - 0.1 * ThreadLocalRandom.current().nextDouble()));
    }

    private ExecutorDesiredState directions(String executor) {
        long asOf = room.now();
        ExecutorDesiredState directions = ExecutorDesiredState.of(executor, reader.read(List.of(executor)));
        room.read(executor, directions.revision(), asOf);
        return directions;
    }

    private void wake(PollWaiter caller, @Nullable ExecutorDesiredState directions) {
        if (caller.claim()) {
            room.leave(caller);
            caller.answer(directions);
        }
    }

    private void lookSoon() {
        if (running && lookDue.compareAndSet(false, true)) {
            clock.schedule(this::look, COLLECT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Periodic refresh. Content without notifications, such as addresses and completed work, is detected only here. */
    private void refreshAll() {
        room.allChanged();
        look();
    }

    private void look() {
        lookDue.set(false);
        long asOf = room.now();
        List<PollWaiter> concerned = room.concerned();
        if (concerned.isEmpty()) {
            return;
        }
        try {
            List<String> executors =
                    concerned.stream().map(PollWaiter::executor).distinct().toList();
            AssignmentReader.DesiredStateSnapshot news = reader.read(executors);
            Map<String, ExecutorDesiredState> directions = new HashMap<>();
            for (String executor : executors) {
                ExecutorDesiredState now = ExecutorDesiredState.of(executor, news);
                directions.put(executor, now);
                room.read(executor, now.revision(), asOf);
            }
            for (PollWaiter caller : concerned) {
                ExecutorDesiredState now = Objects.requireNonNull(directions.get(caller.executor()));
                if (caller.isNews(now)) {
                    wake(caller, now);
                }
            }
        } catch (RuntimeException away) {
            LOG.warn("assignments could not be read; polls continue to wait: {}", away.getMessage());
        }
    }
}

package dev.spur.service.web;

import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * Callers that wait until the value of a key changes. A waiting caller holds a connection and no thread. After a change
 * of some keys, and periodically, their values are read together for all waiting callers.
 *
 * <p>No change is missed between a read and the wait: a change discards the readings that began before it, and a caller
 * that waits on a discarded reading causes a new one.
 *
 * @param <K> key
 * @param <V> value
 */
@SuppressWarnings("FutureReturnValueIgnored") // tasks end their own waiters
public final class LongPoll<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(LongPoll.class);
    /** Time for which changes are collected before values are read. */
    private static final Duration COLLECTION = Duration.ofMillis(20);
    /** Period of the search for waits that have ended. */
    private static final Duration EXPIRY_CHECK = Duration.ofMillis(100);
    /**
     * No timeout by the web server. A timeout event of Tomcat (11.0.24) that arrives after the next request of its
     * connection began discards the processor of that request, which then never receives its response.
     */
    private static final long NO_TIMEOUT = 0;

    private final Source<K, V> source;
    private final LongPollProperties limits;
    private final TaskScheduler scheduler;
    private final Map<K, Reading<V>> readings = new ConcurrentHashMap<>();
    private final Set<Waiter<K, V>> waiters = ConcurrentHashMap.newKeySet();
    /** True from a change until the start of the next check. */
    private final AtomicBoolean stale = new AtomicBoolean();
    /**
     * True while a check is scheduled or runs. Only one runs at a time, so that a busy one collects further changes.
     */
    private final AtomicBoolean checking = new AtomicBoolean();

    private volatile boolean closed;

    /** Reader of current values. */
    @FunctionalInterface
    public interface Source<K, V> {
        /** Returns the value of each key. */
        Map<K, V> read(Set<K> keys);
    }

    /** A request for a value that the caller does not have. Responses are results of controller methods. */
    public interface Poll<V> {
        /** True if the caller does not have {@code value}. */
        boolean isNews(V value);

        /** The response with {@code value}. */
        Object response(V value);

        /** The response without news, after the wait or at shutdown. */
        Object notModified();
    }

    /** A value that is current until a change removes the reading from the map. */
    private static final class Reading<V> {
        private volatile @Nullable V value;
    }

    /** A waiting caller. Instances are compared by identity. */
    private static final class Waiter<K, V> {
        private final K key;
        private final Poll<V> poll;
        private final DeferredResult<Object> response = new DeferredResult<>(NO_TIMEOUT);
        /** End of the wait in nanoseconds of {@link System#nanoTime}. */
        private final long deadline;
        /** The last reading that was compared; the caller has its value. */
        private volatile Reading<V> reading;

        private Waiter(K key, Poll<V> poll, Reading<V> reading, Duration wait) {
            this.key = key;
            this.poll = poll;
            this.reading = reading;
            this.deadline = System.nanoTime() + wait.toNanos();
        }

        private boolean isExpired() {
            return System.nanoTime() - deadline >= 0;
        }
    }

    public LongPoll(Source<K, V> source, LongPollProperties limits, TaskScheduler scheduler) {
        this.source = source;
        this.limits = limits;
        this.scheduler = scheduler;
        scheduler.scheduleWithFixedDelay(this::notifyChange, limits.refreshInterval());
        scheduler.scheduleWithFixedDelay(this::endExpired, EXPIRY_CHECK);
    }

    /** Number of waiting callers. */
    public int waiting() {
        return waiters.size();
    }

    /**
     * The response to a poll, or a {@link DeferredResult} that receives it on a change or after {@code maxWait}.
     *
     * @throws ProblemException 503 if too many callers wait
     */
    public Object poll(K key, Duration maxWait, Poll<V> poll) {
        if (maxWait.isZero() || closed) {
            V value = read(key);
            return poll.isNews(value) ? poll.response(value) : poll.notModified();
        }
        Reading<V> reading = reading(key);
        V value = reading.value;
        if (value == null || poll.isNews(value)) {
            value = read(key);
            reading.value = value;
        }
        return poll.isNews(value) ? poll.response(value) : register(new Waiter<>(key, poll, reading, jitter(maxWait)));
    }

    private V read(K key) {
        return Objects.requireNonNull(source.read(Set.of(key)).get(key));
    }

    private DeferredResult<Object> register(Waiter<K, V> waiter) {
        waiters.add(waiter);
        if (waiters.size() > limits.maxWaiters()) {
            waiters.remove(waiter);
            throw ProblemException.of(ProblemType.UNAVAILABLE, "Too many polls wait.")
                    .withHeader(
                            "Retry-After",
                            Integer.toString(1 + ThreadLocalRandom.current().nextInt(5)));
        }
        waiter.response.onCompletion(() -> waiters.remove(waiter));
        if (closed) {
            end(waiter);
        } else if (readings.get(waiter.key) != waiter.reading) {
            checkSoon();
        }
        return waiter.response;
    }

    /** A wait minus up to a tenth, so that callers that came together do not return together. */
    private static Duration jitter(Duration wait) {
        return wait.minusMillis(ThreadLocalRandom.current().nextLong(1 + wait.toMillis() / 10));
    }

    /** Reports that the value of {@code key} may have changed. */
    public void notifyChange(K key) {
        readings.remove(key);
        checkSoon();
    }

    /** Reports that any value may have changed. */
    public void notifyChange() {
        readings.clear();
        checkSoon();
    }

    /** Ends all waits, now and later. Called before the web server stops, which waits for requests. */
    public void close() {
        closed = true;
        waiters.forEach(this::end);
    }

    private void checkSoon() {
        if (closed || waiters.isEmpty()) {
            return;
        }
        stale.set(true);
        if (checking.compareAndSet(false, true)) {
            run(this::check, COLLECTION);
        }
    }

    private void check() {
        stale.set(false);
        try {
            readChanged();
        } finally {
            checking.set(false);
            if (stale.get()) {
                checkSoon();
            }
        }
    }

    /** Reads the values that may have changed, and responds to the callers for which they are news. */
    private void readChanged() {
        Map<K, Reading<V>> due = new HashMap<>();
        for (Waiter<K, V> waiter : waiters) {
            if (readings.get(waiter.key) != waiter.reading) {
                due.computeIfAbsent(waiter.key, this::reading);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        try {
            source.read(due.keySet()).forEach((key, value) -> Objects.requireNonNull(due.get(key)).value = value);
            waiters.forEach(waiter -> update(waiter, due.get(waiter.key)));
        } catch (RuntimeException away) {
            LOG.warn("the values of long polls could not be read; callers continue to wait: {}", away.getMessage());
        }
    }

    private void update(Waiter<K, V> waiter, @Nullable Reading<V> reading) {
        V value = reading == null ? null : reading.value;
        if (value == null) {
            return;
        }
        if (!waiter.poll.isNews(value)) {
            waiter.reading = Objects.requireNonNull(reading);
        } else if (waiters.remove(waiter)) {
            run(() -> complete(waiter, () -> waiter.poll.response(value)), Duration.ZERO);
        }
    }

    private Reading<V> reading(K key) {
        return readings.computeIfAbsent(key, added -> new Reading<>());
    }

    private void endExpired() {
        waiters.stream().filter(Waiter::isExpired).forEach(this::end);
    }

    private void end(Waiter<K, V> waiter) {
        waiters.remove(waiter);
        complete(waiter, waiter.poll::notModified);
    }

    private static <V> void complete(Waiter<?, V> waiter, Supplier<Object> response) {
        try {
            waiter.response.setResult(response.get());
        } catch (RuntimeException failure) {
            waiter.response.setErrorResult(failure);
        }
    }

    private void run(Runnable task, Duration delay) {
        try {
            scheduler.schedule(task, Instant.now().plus(delay));
        } catch (TaskRejectedException stopping) {
            task.run();
        }
    }
}

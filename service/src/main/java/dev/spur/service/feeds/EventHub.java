package dev.spur.service.feeds;

import dev.spur.service.database.DaemonThreads;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Open event streams of this replica. It polls the log while streams are open: a notification per event would serialize
 * the commits of all transactions that add events.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // tasks log their own exceptions
class EventHub {
    private static final Logger LOG = LoggerFactory.getLogger(EventHub.class);
    private static final long WAITING_MILLIS = 20;

    private final EventStore store;
    private final EventProperties properties;
    /** Threads of their own: a client that resumes far back reads much, and must not delay periodic work. */
    private final ScheduledExecutorService executor = DaemonThreads.scheduler(2, "spur-events");

    /** Open streams with the names of their callers. */
    private final Map<EventStream, String> streams = new ConcurrentHashMap<>();

    private final AtomicBoolean readDue = new AtomicBoolean();
    private volatile @Nullable EventTail tail;
    private volatile boolean closed;

    EventHub(EventStore store, EventProperties properties, MeterRegistry registry) {
        this.store = store;
        this.properties = properties;
        Gauge.builder("spur.events.streams", streams, Map::size)
                .description("Event streams that are open on this replica")
                .register(registry);
    }

    /** Number of open streams. */
    int streams() {
        return streams.size();
    }

    /**
     * Opens a stream as the response to a request.
     *
     * @param caller name of the caller
     * @param lastEventId id of the last event that the client has; null to begin with the next event
     * @throws ProblemException 400 if {@code lastEventId} is not an id of this log, 503 if too many streams are open
     */
    void open(
            String caller,
            HttpServletRequest request,
            HttpServletResponse response,
            EventFilter filter,
            @Nullable String lastEventId)
            throws IOException {
        EventPosition position = lastEventId == null ? null : position(lastEventId);
        if (closed || streams.size() >= properties.maxStreams()) {
            throw rejection("%d event streams are open, which is the limit (spur.events.max-streams)."
                    .formatted(properties.maxStreams()));
        }
        if (Collections.frequency(streams.values(), caller) >= properties.maxStreamsPerCaller()) {
            throw rejection(
                    "The caller %s has %d open event streams, which is the limit (spur.events.max-streams-per-caller)."
                            .formatted(caller, properties.maxStreamsPerCaller()));
        }
        EventTail log = tail();
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        EventStream stream = new EventStream(
                context,
                response.getOutputStream(),
                log,
                filter,
                position == null ? log.end() : position,
                this::advance,
                streams::remove);
        streams.put(stream, caller);
        context.addListener(stream);
        response.getOutputStream().setWriteListener(stream);
        long millis = properties.maxDuration().toMillis();
        executor.schedule(
                stream::end, millis - ThreadLocalRandom.current().nextLong(1 + millis / 10), TimeUnit.MILLISECONDS);
        readSoon(0);
    }

    private static ProblemException rejection(String cause) {
        return ProblemException.of(ProblemType.UNAVAILABLE, cause)
                .withHeader(
                        "Retry-After",
                        Integer.toString(1 + ThreadLocalRandom.current().nextInt(5)));
    }

    private EventPosition position(String lastEventId) {
        return EventPosition.parse(lastEventId)
                .filter(position -> position.compareTo(store.end()) <= 0)
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.INVALID_REQUEST,
                        FieldError.inHeader(
                                "Last-Event-ID",
                                "(%s) is no event of this database, which may have been restored; omit the header to begin with the next event"
                                        .formatted(lastEventId))));
    }

    /** The log from the present on, as of the first stream. */
    private synchronized EventTail tail() {
        EventTail current = tail;
        if (current == null) {
            current = new EventTail(store);
            tail = current;
        }
        return current;
    }

    @EventListener(ApplicationStartedEvent.class)
    void start() {
        store.moveRestoredEvents();
        long period = properties.pollInterval().toMillis();
        executor.scheduleWithFixedDelay(() -> readSoon(0), period, period, TimeUnit.MILLISECONDS);
        long heartbeat = properties.heartbeat().toMillis();
        executor.scheduleWithFixedDelay(
                () -> streams.keySet().forEach(EventStream::heartbeat), heartbeat, heartbeat, TimeUnit.MILLISECONDS);
    }

    private void readSoon(long millis) {
        if (!streams.isEmpty() && readDue.compareAndSet(false, true)) {
            executor.schedule(this::read, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void read() {
        readDue.set(false);
        try {
            if (Objects.requireNonNull(tail).extend()) {
                readSoon(WAITING_MILLIS);
            }
            streams.keySet().forEach(this::advance);
        } catch (RuntimeException away) {
            LOG.warn("the events could not be read; streams continue to wait: {}", away.getMessage());
        }
    }

    private void advance(EventStream stream) {
        executor.execute(stream::advance);
    }

    /** Ends all streams before the web server stops, which waits for responses. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        closed = true;
        executor.shutdownNow();
        streams.keySet().forEach(EventStream::end);
    }

    /**
     * Settings of event streams.
     *
     * @param maxStreams maximum open streams of a replica; further ones are rejected
     * @param maxStreamsPerCaller maximum open streams of one caller on a replica
     * @param pollInterval period in which open streams receive new events
     * @param heartbeat period of the heartbeats of a stream
     * @param maxDuration age at which the service ends a stream; the client connects and authenticates again
     */
    @ConfigurationProperties("spur.events")
    record EventProperties(
            @DefaultValue("500") int maxStreams,
            @DefaultValue("100") int maxStreamsPerCaller,
            @DefaultValue("250ms") Duration pollInterval,
            @DefaultValue("15s") Duration heartbeat,
            @DefaultValue("15m") Duration maxDuration) {
        EventProperties {
            if (pollInterval.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "spur.events.poll-interval (%s) is below 1 ms".formatted(pollInterval));
            }
        }
    }
}

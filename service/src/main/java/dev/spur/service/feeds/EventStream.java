package dev.spur.service.feeds;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of server-sent events. It holds a connection and no thread, and has no queue: it remembers its position, and
 * reads events only while the client takes them. A client that takes nothing is disconnected by the web server.
 */
final class EventStream implements WriteListener, AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final int BATCHES = 8;

    private final AsyncContext context;
    private final ServletOutputStream output;
    private final EventTail tail;
    private final EventFilter filter;
    private final Consumer<EventStream> onProgressDue;
    private final Consumer<EventStream> onEnd;
    private EventPosition position;
    private boolean started;
    private boolean ended;
    private boolean unflushed;
    /** True if the client is to receive its position, as the first data and as a heartbeat. */
    private boolean positionDue = true;

    /**
     * A stream that has not started.
     *
     * @param position position after which it begins
     * @param onProgressDue schedules {@link #advance} of a stream that has more to send
     * @param onEnd called once, when the connection is closed
     */
    EventStream(
            AsyncContext context,
            ServletOutputStream output,
            EventTail tail,
            EventFilter filter,
            EventPosition position,
            Consumer<EventStream> onProgressDue,
            Consumer<EventStream> onEnd) {
        this.context = context;
        this.output = output;
        this.tail = tail;
        this.filter = filter;
        this.position = position;
        this.onProgressDue = onProgressDue;
        this.onEnd = onEnd;
    }

    /** Sends what the client takes without waiting. */
    synchronized void advance() {
        try {
            for (int batch = 0; started && !ended && output.isReady(); batch++) {
                if (unflushed) {
                    unflushed = false;
                    output.flush();
                    continue;
                }
                List<ClusterEvent> events = tail.after(position);
                if (events.isEmpty() && !positionDue) {
                    return;
                }
                if (batch >= BATCHES) {
                    onProgressDue.accept(this);
                    return;
                }
                send(events);
            }
        } catch (IOException | RuntimeException gone) {
            LOG.debug("an event stream ends", gone);
            end();
        }
    }

    private void send(List<ClusterEvent> events) throws IOException {
        StringBuilder text = new StringBuilder();
        if (positionDue) {
            positionDue = false;
            text.append("retry: 2000\nid: ").append(position).append("\n\n");
        }
        for (ClusterEvent event : events) {
            position = event.position();
            if (filter.test(event)) {
                text.append("id: ")
                        .append(event.id())
                        .append("\nevent: ")
                        .append(event.kind())
                        .append("\ndata: ")
                        .append(event.json())
                        .append("\n\n");
            }
        }
        if (!text.isEmpty()) {
            output.write(text.toString().getBytes(StandardCharsets.UTF_8));
            unflushed = true;
        }
    }

    /** Sends the position, so that a dead connection is detected and a client resumes after the newest event. */
    synchronized void heartbeat() {
        positionDue = true;
        advance();
    }

    /** Ends the response. */
    synchronized void end() {
        if (!ended) {
            ended = true;
            onEnd.accept(this);
            complete();
        }
    }

    private void complete() {
        try {
            context.complete();
        } catch (IllegalStateException completed) {
            LOG.debug("the response has ended", completed);
        }
    }

    @Override
    public synchronized void onWritePossible() {
        started = true;
        advance();
    }

    @Override
    public void onError(Throwable cause) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        onEnd.accept(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    /** Completes the response again: otherwise the container dispatches the request to the page of errors. */
    @Override
    public void onError(AsyncEvent event) {
        end();
        complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // the request is never dispatched again
    }
}

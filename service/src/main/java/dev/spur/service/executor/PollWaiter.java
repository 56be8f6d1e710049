package dev.spur.service.executor;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A waiting poll of an executor, without a thread. It receives one response. */
final class PollWaiter {
    private static final Logger LOG = LoggerFactory.getLogger(PollWaiter.class);

    private final String executor;
    private final long known;
    private final AsyncContext async;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile @Nullable Future<?> timer;

    PollWaiter(String executor, long known, AsyncContext async) {
        this.executor = executor;
        this.known = known;
        this.async = async;
    }

    String executor() {
        return executor;
    }

    boolean isNews(ExecutorDesiredState directions) {
        return directions.revision() != known;
    }

    /** Sets the timer that ends the wait. */
    void until(Future<?> end) {
        timer = end;
        if (claimed.get()) {
            end.cancel(false);
        }
    }

    /** Returns true to exactly one caller, which must respond. */
    boolean claim() {
        boolean first = claimed.compareAndSet(false, true);
        Future<?> end = timer;
        if (first && end != null) {
            end.cancel(false);
        }
        return first;
    }

    /** Responds; only after {@link #claim}. Without a desired state the response is 304. */
    void answer(@Nullable ExecutorDesiredState directions) {
        try {
            HttpServletResponse response = (HttpServletResponse) async.getResponse();
            if (response != null) {
                write(response, known, directions);
            }
            async.complete();
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a waiting executor has disconnected", gone);
        }
    }

    /** Writes the desired state, or 304 if the caller has it or there is none to compare. */
    static void write(HttpServletResponse response, @Nullable Long known, @Nullable ExecutorDesiredState directions)
            throws IOException {
        if (directions == null || (known != null && known == directions.revision())) {
            response.setHeader("ETag", "\"" + known + "\"");
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setHeader("ETag", directions.etag());
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("Plan-Revision", Long.toString(directions.planRevision()));
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("application/json");
        response.setContentLength(directions.json().length);
        response.getOutputStream().write(directions.json());
        response.flushBuffer();
    }
}

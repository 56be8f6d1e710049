package dev.spur.service.plan;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** A waiting caller of the plan feed, without a thread. It receives one response. */
final class PlanWaiter {
    private static final Logger LOG = LoggerFactory.getLogger(PlanWaiter.class);

    private final Poll poll;
    private final AsyncContext async;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile @Nullable Future<?> timeout;

    PlanWaiter(Poll poll, AsyncContext async) {
        this.poll = poll;
        this.async = async;
    }

    Poll poll() {
        return poll;
    }

    /** Sets the timer that ends the wait; a response cancels it. */
    void timeout(Future<?> timer) {
        timeout = timer;
        if (answered.get()) {
            timer.cancel(false);
        }
    }

    /** Returns true to exactly one caller, which must respond. */
    boolean claim() {
        boolean first = answered.compareAndSet(false, true);
        Future<?> timer = timeout;
        if (first && timer != null) {
            timer.cancel(false);
        }
        return first;
    }

    /** Responds; only after {@link #claim}. */
    void answer(PublishedPlan edition) {
        try {
            HttpServletResponse response = (HttpServletResponse) async.getResponse();
            if (response != null) {
                PlanResponseWriter.write(response, poll, edition);
            }
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a waiting client has disconnected", gone);
        } catch (DataAccessException away) {
            LOG.warn("the scope of a waiting client could not be read: {}", away.getMessage());
            if (async.getResponse() instanceof HttpServletResponse response) {
                response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            }
        } finally {
            complete();
        }
    }

    /** Responds on a thread of the web server, for responses that a slow client may block. */
    void answerElsewhere(PublishedPlan edition) {
        try {
            async.start(() -> answer(edition));
        } catch (IllegalStateException gone) {
            LOG.debug("a waiting client has disconnected", gone);
        }
    }

    private void complete() {
        try {
            async.complete();
        } catch (IllegalStateException gone) {
            LOG.debug("a waiting client has disconnected", gone);
        }
    }
}

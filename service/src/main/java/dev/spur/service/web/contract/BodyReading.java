package dev.spur.service.web.contract;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Non-blocking read of one request body, up to a size limit and a deadline for the whole body. No thread waits for the
 * client. A body that has arrived with its headers, as most do, is read at once. Otherwise the container calls this
 * object when bytes arrive, and dispatches the request again when the body is complete, too large or late. A body above
 * its limit is discarded up to {@link #MAX_DISCARDED} bytes, because a connection that is closed with unread bytes is
 * reset and the client may lose the answer.
 */
final class BodyReading implements ReadListener, AsyncListener {
    private static final String ATTRIBUTE = BodyReading.class.getName();
    private static final int PIECE = 16 << 10;
    /** Maximum bytes that are read and dropped so that the client receives its response. */
    private static final int MAX_DISCARDED = 8 << 20;
    /** Maximum bytes of all incomplete bodies together. */
    private static final long MAX_BUFFERED = 64L << 20;

    private static final AtomicLong BUFFERED = new AtomicLong();

    private final ServletInputStream in;
    private final int limit;
    private final Duration deadline;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int discarded;
    private boolean isDone;
    private @Nullable ProblemException problem;
    private @Nullable AsyncContext async;

    private BodyReading(ServletInputStream in, int limit, Duration deadline) {
        this.in = in;
        this.limit = limit;
        this.deadline = deadline;
    }

    /**
     * Starts to read the body of {@code request}.
     *
     * @return true if the body is complete; false if the request is dispatched again when it is, in which case the
     *     caller must release its thread at once
     */
    static boolean start(HttpServletRequest request, HttpServletResponse response, int limit, Duration deadline) {
        try {
            BodyReading reading = new BodyReading(request.getInputStream(), limit, deadline);
            request.setAttribute(ATTRIBUTE, reading);
            if (reading.readArrived(request.getContentLengthLong())) {
                return true;
            }
            reading.await(request.startAsync(request, response));
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what has arrived, and returns true if it is the whole body. A second dispatch would take longer. */
    private boolean readArrived(long length) throws IOException {
        if (length < 0 || length > limit) {
            return false;
        }
        byte[] piece = new byte[(int) Math.min(length, PIECE)];
        while (bytes.size() < length && in.available() > 0) {
            take(piece, in.read(piece));
        }
        if (bytes.size() < length) {
            return false;
        }
        end();
        return true;
    }

    private void await(AsyncContext started) throws IOException {
        async = started;
        started.setTimeout(deadline.toMillis());
        started.addListener(this);
        in.setReadListener(this);
    }

    /** The read that was started for {@code request}; null if there was none. */
    static @Nullable BodyReading of(HttpServletRequest request) {
        return (BodyReading) request.getAttribute(ATTRIBUTE);
    }

    /** True if a request declares a body. */
    static boolean isExpected(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Returns the body.
     *
     * @throws ProblemException 408, 413 or 503 if the body did not arrive completely
     */
    byte[] body() {
        if (problem != null) {
            throw problem;
        }
        return bytes.toByteArray();
    }

    /** True if the whole body arrived and is empty. */
    boolean isEmpty() {
        return problem == null && bytes.size() == 0;
    }

    static ProblemException tooLarge(int limit) {
        return ProblemException.of(
                ProblemType.TOO_LARGE,
                FieldError.at("", "is larger than %d bytes, the limit of this operation".formatted(limit)));
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] piece = new byte[PIECE];
        while (!isDone && in.isReady() && !in.isFinished()) {
            int read = in.read(piece);
            if (read < 0) {
                return;
            }
            take(piece, read);
        }
    }

    private void take(byte[] piece, int read) {
        if (problem == null && bytes.size() + read > limit) {
            fail(tooLarge(limit));
        }
        if (problem == null && BUFFERED.addAndGet(read) <= MAX_BUFFERED) {
            bytes.write(piece, 0, read);
            return;
        }
        if (problem == null) {
            BUFFERED.addAndGet(-read);
            fail(ProblemException.of(
                            ProblemType.UNAVAILABLE,
                            "Too many request bodies are incomplete. Send the complete body again later.")
                    .withHeader("Retry-After", "1"));
        }
        discarded += read;
        if (discarded > MAX_DISCARDED) {
            finish(null);
        }
    }

    private void fail(ProblemException why) {
        problem = why;
        BUFFERED.addAndGet(-bytes.size());
        bytes.reset();
    }

    @Override
    public void onAllDataRead() {
        finish(null);
    }

    /**
     * The connection has failed. The container reports it to the {@link AsyncListener} as well, which ends the request.
     */
    @Override
    public void onError(Throwable e) {}

    @Override
    public void onTimeout(AsyncEvent event) {
        finish(ProblemException.of(
                ProblemType.REQUEST_TIMEOUT,
                FieldError.at("", "did not arrive as a whole within %d s".formatted(deadline.toSeconds()))));
    }

    private void finish(@Nullable ProblemException why) {
        if (isDone) {
            return;
        }
        end();
        if (problem == null && why != null) {
            problem = why;
        }
        context().dispatch();
    }

    private AsyncContext context() {
        return Objects.requireNonNull(async);
    }

    /** The connection is closed, so no response is possible. */
    @Override
    public void onError(AsyncEvent event) {
        if (!isDone) {
            end();
            context().complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        if (!isDone) {
            end();
        }
    }

    /** Releases the buffer count. Called exactly once, however the read ends. */
    private void end() {
        isDone = true;
        BUFFERED.addAndGet(-bytes.size());
    }

    /** Later asynchronous work of the request does not concern this object. */
    @Override
    public void onStartAsync(AsyncEvent event) {}
}

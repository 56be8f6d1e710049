package dev.spur.connectors.http;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * HTTP client with a bound on every call. The complete response arrives within the timeout of its request and has at
 * most {@link #MAX_BYTES} bytes. The timeout of {@link HttpRequest} alone covers only the headers. Redirects are not
 * followed, so that credentials stay at the configured origin.
 */
public final class BoundedHttp {
    /** Maximum size of a response body, in bytes. */
    public static final long MAX_BYTES = 64L << 20;

    private final HttpClient http;
    private final Duration timeout;
    private final long maxBytes;

    /**
     * Creates a client.
     *
     * @param timeout timeout of requests that have none
     */
    public BoundedHttp(Duration timeout) {
        this(timeout, MAX_BYTES);
    }

    BoundedHttp(Duration timeout, long maxBytes) {
        this.timeout = timeout;
        this.maxBytes = maxBytes;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    /**
     * Sends a request and reads the complete response.
     *
     * @throws HttpTimeoutException if the response is incomplete at the timeout
     * @throws IOException if there is no response, or it is too large
     */
    public HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        Duration limit = request.timeout().orElse(timeout);
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request, head -> new BoundedBody(head.headers(), maxBytes));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException(timeoutMessage(limit));
        } catch (ExecutionException failed) {
            throw cause(failed, limit);
        } finally {
            // closes the connection of an unfinished call
            answer.cancel(true);
        }
    }

    /** Returns the error message for a response that is incomplete after {@code limit}. */
    public static String timeoutMessage(Duration limit) {
        String seconds =
                BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString();
        return "no complete response within %s s".formatted(seconds);
    }

    /** Returns the error message for a response of more than {@code limit} bytes. */
    public static String tooLarge(long limit) {
        return "the response exceeds %d bytes".formatted(limit);
    }

    private static IOException cause(ExecutionException failed, Duration limit) {
        Throwable cause = failed.getCause();
        if (cause instanceof HttpTimeoutException) {
            return new HttpTimeoutException(timeoutMessage(limit));
        }
        if (cause instanceof IOException known) {
            String message = known.getMessage();
            return message == null ? new IOException(known.getClass().getSimpleName(), known) : known;
        }
        return new IOException(String.valueOf(cause), failed);
    }
}

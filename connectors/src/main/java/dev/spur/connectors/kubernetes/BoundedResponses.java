package dev.spur.connectors.kubernetes;

import dev.spur.connectors.http.BoundedHttp;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Applies the limits of {@link BoundedHttp} to the fabric8 client, whose request timeout covers only the headers and
 * which reads bodies of any size.
 */
final class BoundedResponses implements Interceptor {
    private final Duration timeout;

    /**
     * Creates the interceptor.
     *
     * @param timeout time limit of a complete call
     */
    BoundedResponses(Duration timeout) {
        this.timeout = timeout;
    }

    /** The body of one response. */
    private static final class Body implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final AsyncBody.Consumer<List<ByteBuffer>> next;
        private final long startedAt = System.nanoTime();
        private long bytes;

        Body(AsyncBody.Consumer<List<ByteBuffer>> next) {
            this.next = next;
        }

        @Override
        public void consume(List<ByteBuffer> part, AsyncBody body) throws Exception {
            for (ByteBuffer buffer : part) {
                bytes += buffer.remaining();
            }
            if (bytes > BoundedHttp.MAX_BYTES) {
                throw new IOException(BoundedHttp.tooLarge(BoundedHttp.MAX_BYTES));
            }
            next.consume(part, body);
        }

        @Override
        public <U> U unwrap(Class<U> type) {
            return type.isInstance(this) ? type.cast(this) : next.unwrap(type);
        }
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        return new Body(consumer);
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Body body = consumer.unwrap(Body.class);
        if (body != null && response.body() instanceof AsyncBody answer) {
            long left = timeout.toNanos() - (System.nanoTime() - body.startedAt);
            CompletableFuture.delayedExecutor(Math.max(0, left), TimeUnit.NANOSECONDS)
                    .execute(answer::cancel);
        }
    }
}

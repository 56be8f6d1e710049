package dev.spur.connectors.http;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a response body into memory, and fails when the body exceeds a limit. */
final class BoundedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private final long limit;
    private final boolean announcedTooLarge;
    private long bytes;
    private Flow.@Nullable Subscription subscription;
    private boolean failed;

    BoundedBody(HttpHeaders headers, long limit) {
        this.limit = limit;
        this.announcedTooLarge = headers.firstValueAsLong("Content-Length").orElse(0) > limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription upstream) {
        subscription = upstream;
        whole.onSubscribe(upstream);
        if (announcedTooLarge) {
            fail();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        for (ByteBuffer buffer : part) {
            bytes += buffer.remaining();
        }
        if (bytes > limit) {
            fail();
        } else if (!failed) {
            whole.onNext(part);
        }
    }

    private void fail() {
        if (!failed && subscription != null) {
            failed = true;
            subscription.cancel();
            whole.onError(new IOException(BoundedHttp.tooLarge(limit)));
        }
    }

    @Override
    public void onError(Throwable cause) {
        if (!failed) {
            whole.onError(cause);
        }
    }

    @Override
    public void onComplete() {
        if (!failed) {
            whole.onComplete();
        }
    }
}

package dev.spur.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 connection of one thread, which waits for each response. {@link java.net.http.HttpClient} takes as much CPU
 * time for a poll as the service, so that a benchmark on the same machine would measure the client.
 */
final class BlockingConnection implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private @Nullable SocketChannel channel;

    /** Sends a request and returns its complete response. The connection is opened where necessary. */
    ReceivedResponse send(HttpRequest request) throws IOException {
        SocketChannel open = channel == null ? open(request.uri()) : channel;
        channel = open;
        ByteBuffer sent = ByteBuffer.wrap(encode(request));
        while (sent.hasRemaining()) {
            open.write(sent);
        }
        ReceivedResponse response = new ReceivedResponse();
        do {
            if (open.read(buffer.clear()) < 0) {
                throw new EOFException("The service closed a connection before the end of its response");
            }
        } while (!response.add(buffer.flip()));
        if (response.closesConnection()) {
            close();
        }
        return response;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    private static SocketChannel open(URI service) throws IOException {
        SocketChannel opened = SocketChannel.open(new InetSocketAddress(service.getHost(), service.getPort()));
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return opened;
    }

    private static byte[] encode(HttpRequest request) {
        URI uri = request.uri();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        StringBuilder head = new StringBuilder(request.method()).append(' ').append(path);
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(uri.getAuthority());
        request.headers()
                .map()
                .forEach((name, values) -> values.forEach(
                        value -> head.append("\r\n").append(name).append(": ").append(value)));
        byte[] body = request.bodyPublisher().map(BlockingConnection::bytes).orElse(new byte[0]);
        if (request.bodyPublisher().isPresent()) {
            head.append("\r\nContent-Length: ").append(body.length);
        }
        byte[] start = head.append(ReceivedResponse.END_OF_HEADERS).toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(start.length + body.length)
                .put(start)
                .put(body)
                .array();
    }

    /** Returns the content of a publisher of strings or bytes, which publishes it at once. */
    private static byte[] bytes(HttpRequest.BodyPublisher publisher) {
        BodySubscriber<byte[]> content = BodySubscribers.ofByteArray();
        publisher.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                content.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer part) {
                content.onNext(List.of(part));
            }

            @Override
            public void onError(Throwable failure) {
                content.onError(failure);
            }

            @Override
            public void onComplete() {
                content.onComplete();
            }
        });
        return content.getBody().toCompletableFuture().join();
    }
}

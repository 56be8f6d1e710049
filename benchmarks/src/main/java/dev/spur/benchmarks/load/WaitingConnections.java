package dev.spur.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections that wait for one response each, all on one thread. Responses are parsed after the last one was received,
 * so that the client takes little CPU time from a service on the same machine.
 */
public final class WaitingConnections {
    private static final int BUFFER = 1 << 16;

    private final Selector selector;
    private final List<Exchange> exchanges = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

    private WaitingConnections() throws IOException {
        selector = Selector.open();
    }

    /**
     * Response of the service.
     *
     * @param status HTTP status
     * @param body body as text
     * @param receivedAtMillis time at which the last byte was received, ms since 1970
     */
    public record Response(int status, String body, long receivedAtMillis) {}

    /** Request and response on one connection. */
    private static final class Exchange {
        private final ReceivedResponse received = new ReceivedResponse();
        private long receivedAtMillis;

        private Response response() {
            return new Response(received.status(), received.body(), receivedAtMillis);
        }
    }

    /**
     * Opens one connection per target and sends its request.
     *
     * @param service base URL of the service
     * @param targets paths with queries
     */
    public static WaitingConnections open(URI service, List<String> targets) throws IOException {
        WaitingConnections connections = new WaitingConnections();
        for (String target : targets) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(service.getHost(), service.getPort()));
            String request = "GET %s HTTP/1.1\r\nHost: %s%s"
                    .formatted(target, service.getAuthority(), ReceivedResponse.END_OF_HEADERS);
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            channel.configureBlocking(false);
            Exchange exchange = new Exchange();
            connections.exchanges.add(exchange);
            channel.register(connections.selector, SelectionKey.OP_READ, exchange);
        }
        connections.open.set(targets.size());
        return connections;
    }

    /** Returns the number of connections that wait for the end of their response. */
    public int waiting() {
        return open.get();
    }

    /**
     * Receives all responses on a new thread. The future returns them in the order of their targets.
     *
     * @param limit time after which the future fails
     */
    public CompletableFuture<List<Response>> receive(Duration limit) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return receiveAll(System.nanoTime() + limit.toNanos());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task, "waiting-connections").start());
    }

    private List<Response> receiveAll(long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try (selector) {
            while (open.get() > 0) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "%d of %d responses were not received in time".formatted(open.get(), exchanges.size()));
                }
                selector.select(key -> receive(key, buffer), 1000);
            }
        }
        return exchanges.stream().map(Exchange::response).toList();
    }

    private void receive(SelectionKey key, ByteBuffer buffer) {
        Exchange exchange = (Exchange) key.attachment();
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (channel.read(buffer.clear()) < 0) {
                throw new IllegalStateException("The service closed a connection before the end of its response");
            }
            if (exchange.received.add(buffer.flip())) {
                exchange.receivedAtMillis = System.currentTimeMillis();
                channel.close();
                open.decrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

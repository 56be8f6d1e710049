package dev.spur.benchmarks.load;

import java.io.ByteArrayOutputStream;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Connections that wait for one response each, all on one thread. Responses are parsed after the last one was received,
 * so that the client takes little CPU time from a service on the same machine.
 */
public final class WaitingConnections {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final String END_OF_HEADERS = "\r\n\r\n";
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
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private int length = -1;
        private long receivedAtMillis;

        /** Adds bytes, and returns whether the response is complete. */
        private boolean add(ByteBuffer bytes) {
            byte[] part = new byte[bytes.remaining()];
            bytes.get(part);
            received.writeBytes(part);
            if (length < 0) {
                String text = received.toString(StandardCharsets.ISO_8859_1);
                int end = text.indexOf(END_OF_HEADERS);
                if (end < 0) {
                    return false;
                }
                Matcher stated = LENGTH.matcher(text).region(0, end);
                length = end + END_OF_HEADERS.length() + (stated.find() ? Integer.parseInt(stated.group(1)) : 0);
            }
            receivedAtMillis = System.currentTimeMillis();
            return received.size() >= length;
        }

        private Response response() {
            String text = received.toString(StandardCharsets.UTF_8);
            int status = Integer.parseInt(text.split(" ", 3)[1]);
            return new Response(
                    status, text.substring(text.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length()), receivedAtMillis);
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
            String request = "GET %s HTTP/1.1\r\nHost: %s%s".formatted(target, service.getAuthority(), END_OF_HEADERS);
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
            if (exchange.add(buffer.flip())) {
                channel.close();
                open.decrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

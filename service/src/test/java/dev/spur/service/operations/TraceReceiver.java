package dev.spur.service.operations;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A collector that takes OTLP over HTTP and understands as much of it as tests ask for. Numbers of fields are those of
 * trace.proto and common.proto of OpenTelemetry.
 */
final class TraceReceiver implements AutoCloseable {
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /**
     * A span.
     *
     * @param parent id of its parent; empty if it has none here
     * @param attributes texts as they are, other values in whatever form
     */
    record Span(String traceId, String id, String parent, String name, Map<String, String> attributes) {}

    TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:%d/v1/traces".formatted(server.getAddress().getPort());
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    Stream<Span> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name));
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            UnknownFieldSet request = UnknownFieldSet.parseFrom(exchange.getRequestBody());
            messages(request, 1)
                    .flatMap(resource -> messages(resource, 2))
                    .flatMap(scope -> messages(scope, 2))
                    .map(TraceReceiver::span)
                    .forEach(spans::add);
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Span span(UnknownFieldSet span) {
        Map<String, String> attributes = new TreeMap<>();
        messages(span, 9)
                .forEach(pair -> attributes.put(
                        text(pair, 1),
                        messages(pair, 2)
                                .map(value -> value.hasField(1) ? text(value, 1) : value.toString())
                                .findFirst()
                                .orElse("")));
        return new Span(hex(span, 1), hex(span, 2), hex(span, 4), text(span, 5), attributes);
    }

    private static Stream<UnknownFieldSet> messages(UnknownFieldSet in, int field) {
        return in.getField(field).getLengthDelimitedList().stream().map(TraceReceiver::parse);
    }

    private static UnknownFieldSet parse(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hex(UnknownFieldSet in, int field) {
        return HexFormat.of().formatHex(bytes(in, field).toByteArray());
    }

    private static String text(UnknownFieldSet in, int field) {
        return bytes(in, field).toString(StandardCharsets.UTF_8);
    }

    private static ByteString bytes(UnknownFieldSet in, int field) {
        return in.getField(field).getLengthDelimitedList().stream().findFirst().orElse(ByteString.EMPTY);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

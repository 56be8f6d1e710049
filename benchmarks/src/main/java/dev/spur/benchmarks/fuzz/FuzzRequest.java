package dev.spur.benchmarks.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * HTTP request as it is sent, whether or not it conforms to HTTP.
 *
 * @param route method and path template of the targeted operation
 * @param method as sent
 * @param target path and query, as sent
 * @param headers header lines, as sent
 * @param body as sent; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // requests are sent, not compared
record FuzzRequest(String route, String method, String target, List<String> headers, byte[] body) {
    private static final int SHOWN = 300;

    FuzzRequest {
        headers = List.copyOf(headers);
    }

    /** Returns the path without the query. */
    String path() {
        return target.replaceFirst("\\?.*", "");
    }

    /** Returns all bytes of the request, for a connection that is used once. */
    byte[] wire() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        if (body.length > 0) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n");
        out.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        out.writeBytes(body);
        return out.toByteArray();
    }

    /** Returns the beginning of the request, for reproducing it by hand. */
    @Override
    public String toString() {
        String text = "%s %s %s %s"
                .formatted(method, target, headers, new String(body, StandardCharsets.ISO_8859_1))
                .replaceAll("\\s+", " ");
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}

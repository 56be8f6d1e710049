package dev.spur.agent.protocol;

import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Transport of the client commands. {@link HttpURLConnection} starts 0.2 s faster than {@code java.net.http}, which
 * prepares TLS and an executor for every client. It supports no PATCH.
 */
final class UrlTransport implements HttpTransport {
    private static final int ERRORS = 400;

    UrlTransport() {
        // By default, the JDK silently repeats a POST whose connection was closed.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    @Override
    public Answer send(String method, URI uri, Map<String, String> headers, String body, Duration limit)
            throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout((int) CONNECT_LIMIT.toMillis());
        connection.setReadTimeout((int) limit.toMillis());
        connection.setRequestMethod(method);
        connection.setRequestProperty("Accept", "*/*");
        headers.forEach(connection::setRequestProperty);
        if (method.equals("POST") || method.equals("PUT")) {
            write(connection, body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        try (InputStream in = status < ERRORS ? connection.getInputStream() : connection.getErrorStream()) {
            String etag = connection.getHeaderField("ETag");
            return new Answer(
                    status,
                    in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8),
                    etag == null ? "" : etag);
        }
    }

    /** Writes the body. Without a content type, the JDK would name that of HTML forms. */
    private static void write(HttpURLConnection connection, byte[] body) throws IOException {
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
    }
}

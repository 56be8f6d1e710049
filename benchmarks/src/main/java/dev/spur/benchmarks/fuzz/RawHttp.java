package dev.spur.benchmarks.fuzz;

import dev.spur.service.contract.ResponseValidator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Minimal HTTP client that sends arbitrary bytes. Ordinary clients cannot send malformed requests. */
final class RawHttp {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /**
     * Sends a request and returns its response.
     *
     * @throws IOException if there is no response, or an incomplete one
     */
    ResponseValidator.ReceivedResponse send(FuzzRequest request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            write(socket.getOutputStream(), request.wire());
            return read(socket.getInputStream(), request.method().equals("HEAD"));
        }
    }

    /** Writes the request; the server can close the connection before it has read all of it. */
    private static void write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException failed) {
            // the response states the cause
        }
    }

    private static ResponseValidator.ReceivedResponse read(InputStream in, boolean bare) throws IOException {
        String status = line(in);
        while (status.startsWith("HTTP/1.1 1")) {
            headers(in);
            status = line(in);
        }
        String[] words = status.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/")) {
            throw new IOException("The response is not HTTP: " + status);
        }
        int code = Integer.parseInt(words[1]);
        Map<String, List<String>> headers = headers(in);
        byte[] body = bare || code == 204 || code == 304 ? new byte[0] : body(in, headers);
        return new ResponseValidator.ReceivedResponse(code, headers, unpacked(headers, body));
    }

    /** Decompresses a gzip body: the contract describes the decoded content. */
    private static byte[] unpacked(Map<String, List<String>> headers, byte[] body) throws IOException {
        if (!List.of("gzip").equals(headers.get("content-encoding"))) {
            return body;
        }
        headers.remove("content-encoding");
        return body.length == 0 ? body : new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
    }

    private static Map<String, List<String>> headers(InputStream in) throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] body(InputStream in, Map<String, List<String>> headers) throws IOException {
        if (headers.containsKey("content-length")) {
            int length = Integer.parseInt(headers.get("content-length").get(0));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException(
                        "The connection was closed after %d of %d body bytes".formatted(body.length, length));
            }
            return body;
        }
        return headers.containsKey("transfer-encoding") ? chunks(in) : in.readAllBytes();
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int length = length(in); length > 0; length = length(in)) {
            body.writeBytes(in.readNBytes(length));
            line(in);
        }
        return body.toByteArray();
    }

    private static int length(InputStream in) throws IOException {
        return Integer.parseInt(line(in).replaceFirst(";.*", "").strip(), 16);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        while (next != '\n') {
            if (next < 0) {
                throw new EOFException(
                        "The connection was closed after: " + line.toString(StandardCharsets.ISO_8859_1));
            }
            if (next != '\r') {
                line.write(next);
            }
            next = in.read();
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}

package dev.spur.benchmarks.load;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes of one HTTP/1.1 response with a {@code Content-Length}, as they arrive. */
final class ReceivedResponse {
    static final String END_OF_HEADERS = "\r\n\r\n";

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final Pattern CHUNKED = Pattern.compile("(?i)\r\ntransfer-encoding:");
    private static final Pattern CLOSE = Pattern.compile("(?i)\r\nconnection: *close");

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private String headers = "";
    private int length = -1;

    /**
     * Adds bytes, and returns whether the response is complete.
     *
     * @throws IllegalStateException if the response has no length
     */
    boolean add(ByteBuffer bytes) {
        byte[] part = new byte[bytes.remaining()];
        bytes.get(part);
        received.writeBytes(part);
        if (length < 0) {
            String text = received.toString(StandardCharsets.ISO_8859_1);
            int end = text.indexOf(END_OF_HEADERS);
            if (end < 0) {
                return false;
            }
            headers = text.substring(0, end);
            if (CHUNKED.matcher(headers).find()) {
                throw new IllegalStateException("A response has no Content-Length: " + headers);
            }
            Matcher stated = LENGTH.matcher(headers);
            length = end + END_OF_HEADERS.length() + (stated.find() ? Integer.parseInt(stated.group(1)) : 0);
        }
        return received.size() >= length;
    }

    int status() {
        return Integer.parseInt(headers.split(" ", 3)[1]);
    }

    String body() {
        String text = received.toString(StandardCharsets.UTF_8);
        return text.substring(text.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length());
    }

    /** Whether the service closes the connection after this response. */
    boolean closesConnection() {
        return CLOSE.matcher(headers).find();
    }
}

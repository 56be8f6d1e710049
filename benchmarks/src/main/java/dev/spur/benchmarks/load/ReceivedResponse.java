package dev.spur.benchmarks.load;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes of one HTTP/1.1 response as they arrive. Its body has no line break before its end, as JSON in one line. */
final class ReceivedResponse {
    static final String END_OF_HEADERS = "\r\n\r\n";

    private static final byte[] LAST_CHUNK = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final Pattern CHUNKED = Pattern.compile("(?i)\r\ntransfer-encoding:");
    private static final Pattern CLOSE = Pattern.compile("(?i)\r\nconnection: *close");

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private String headers = "";
    private boolean chunked;
    private int length = -1;

    /** Adds bytes, and returns whether the response is complete. */
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
            chunked = CHUNKED.matcher(headers).find();
            Matcher stated = LENGTH.matcher(headers);
            length = end + END_OF_HEADERS.length() + (stated.find() ? Integer.parseInt(stated.group(1)) : 0);
        }
        return chunked ? endsWithLastChunk() : received.size() >= length;
    }

    private boolean endsWithLastChunk() {
        byte[] all = received.toByteArray();
        int start = all.length - LAST_CHUNK.length;
        return start >= 0 && Arrays.equals(all, start, all.length, LAST_CHUNK, 0, LAST_CHUNK.length);
    }

    int status() {
        return Integer.parseInt(headers.split(" ", 3)[1]);
    }

    /** The body, with the lengths of its chunks if it has chunks. */
    String body() {
        String text = received.toString(StandardCharsets.UTF_8);
        return text.substring(text.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length());
    }

    /** Whether the service closes the connection after this response. */
    boolean closesConnection() {
        return CLOSE.matcher(headers).find();
    }
}

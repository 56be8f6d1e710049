package dev.spur.agent.protocol;

import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Sends one HTTP/1.1 request and returns the response. Redirects are not followed, and no proxy is used. */
interface HttpTransport {
    Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    /**
     * Sends a request.
     *
     * @param body content as JSON; empty for none
     * @param limit longest wait for the response
     */
    Answer send(String method, URI uri, Map<String, String> headers, String body, Duration limit)
            throws IOException, InterruptedException;
}

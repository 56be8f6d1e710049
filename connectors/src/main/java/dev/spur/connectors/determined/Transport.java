package dev.spur.connectors.determined;

import dev.spur.connectors.http.BoundedHttp;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Transport of HTTP requests to the master. */
interface Transport {
    /**
     * Sends a request.
     *
     * @throws IOException if there is no response
     */
    HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException;

    /** Creates a transport over the network. */
    static Transport network(Duration timeout) {
        return new BoundedHttp(timeout)::send;
    }
}

package dev.spur.connectors.determined;

import dev.spur.connectors.http.BoundedHttp;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Carries requests to the master and brings back what it answers. */
interface Transport {
    /**
     * Sends a request.
     *
     * @throws IOException if there is no answer
     */
    HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException;

    /** Over the network. */
    static Transport network(Duration timeout) {
        return new BoundedHttp(timeout)::send;
    }
}

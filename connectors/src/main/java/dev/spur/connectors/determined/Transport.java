package dev.spur.connectors.determined;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Carries requests to the master and brings back what it answers. */
interface Transport {
    /**
     * Sends a request.
     *
     * @throws IOException if there is no answer
     */
    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException;

    /** Over the network. */
    static Transport network(Duration patience) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(patience)
                .build();
        return request -> http.send(request, BodyHandlers.ofString());
    }
}

package dev.spur.service.feeds;

import dev.spur.model.json.RoundJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A client of an event stream that stores what it receives. */
final class EventReader implements AutoCloseable {
    private final InputStream body;
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    /** Position after the last event or heartbeat. */
    private volatile String lastId = "";

    private volatile boolean ended;

    private EventReader(InputStream body) {
        this.body = body;
        Thread reader = new Thread(this::read, "event-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Opens a stream and waits for its position. Headers are given as name, value, name, value... */
    static EventReader open(String url, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> response =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError(new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        EventReader reader = new EventReader(response.body());
        while (reader.lastId.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return reader;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    events.add(RoundJson.mapper().readTree(line.substring(6)));
                } else if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                }
            }
        } catch (IOException closed) {
            // reported as the end
        }
        ended = true;
    }

    /** The next event. */
    JsonNode next() throws InterruptedException {
        JsonNode event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event in time; the stream has ended: " + ended);
        }
        return event;
    }

    /** Kinds of the next {@code count} events. */
    List<String> kinds(int count) throws InterruptedException {
        List<String> kinds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            kinds.add(next().path("kind").asString());
        }
        return kinds;
    }

    String lastId() {
        return lastId;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}

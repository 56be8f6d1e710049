package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.postgres.UnpackedServer;
import dev.spur.service.web.contract.ContractedClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A service that is killed in the middle of its work, with a database of its own that dies with it. */
@Tag("fault")
class KillTest {
    private static final int CLIENTS = 8;
    private static final int BEFORE_THE_KILL = 150;
    private static final int ARRAY = 10_000;
    private static final JsonNode EXAMPLE =
            ContractedClient.contract().document().at("/components/examples/jobSubmissionShort/value");
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger number = new AtomicInteger();
    private final Set<String> sent = new ConcurrentSkipListSet<>();
    private final Set<String> confirmed = new ConcurrentSkipListSet<>();

    @TempDir
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        UnpackedServer.linkInto(home);
    }

    @Test
    void whatWasConfirmedIsThereAfterwardsAndNothingTwice() throws Exception {
        try (SpurProcess spur = start()) {
            submitUntilItIsKilled(address(spur), spur);
        }
        assertThat(confirmed).hasSizeGreaterThanOrEqualTo(BEFORE_THE_KILL);

        try (SpurProcess spur = start()) {
            String address = address(spur);
            List<String> found = jobs(address);
            assertThat(found).doesNotHaveDuplicates().containsAll(confirmed);
            assertThat(sent).containsAll(found);

            // whoever got no answer submits again, under the same key
            for (String id : sent) {
                assertThat(submit(address, id)).isEqualTo(201);
            }
            assertThat(jobs(address)).doesNotHaveDuplicates().hasSameElementsAs(sent);
        }
    }

    @Test
    void theServiceEndsWithAMessageWhenItsOwnDatabaseIsKilled() throws Exception {
        try (SpurProcess spur = start()) {
            address(spur);
            long server = Long.parseLong(
                    Files.readAllLines(home.resolve("postgres").resolve("data").resolve("postmaster.pid"))
                            .get(0));
            assertThat(ProcessHandle.of(server).orElseThrow().destroyForcibly()).isTrue();
            SpurProcess.Result end = spur.awaitEnd();

            assertThat(end.status()).isEqualTo(1);
            assertThat(end.output()).contains("PostgreSQL ended unexpectedly");
        }
        try (SpurProcess again = start()) {
            assertThat(jobs(address(again))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 500, 1500})
    void anArrayIsThereAsAWholeOrNotAtAll(int millis) throws Exception {
        try (SpurProcess spur = start()) {
            HttpRequest request = array(address(spur));
            CompletableFuture<?> answer = http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
            Thread.sleep(millis);
            spur.kill();
            answer.handle((response, killed) -> null).join();
        }
        try (SpurProcess spur = start()) {
            String address = address(spur);
            HttpRequest arrays = HttpRequest.newBuilder(URI.create(address + "/api/v1/arrays"))
                    .build();
            JsonNode items = RoundJson.mapper()
                    .readTree(http.send(arrays, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .path("items");
            int stored = items.at("/0/states")
                    .valueStream()
                    .mapToInt(JsonNode::asInt)
                    .sum();

            assertThat(stored).isIn(0, ARRAY);
            assertThat(items.size()).isEqualTo(stored / ARRAY);
            assertThat(http.send(array(address), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    private static HttpRequest array(String address) {
        ObjectNode body = RoundJson.mapper().createObjectNode();
        body.put("indices", "1-" + ARRAY);
        ObjectNode job = (ObjectNode) EXAMPLE.deepCopy();
        job.put("waitForHardware", true).remove(List.of("tenant", "deadline", "externalId"));
        body.set("job", job);
        return HttpRequest.newBuilder(URI.create(address + "/api/v1/arrays"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
    }

    private SpurProcess start() throws IOException {
        return SpurProcess.start(Map.of("SPUR_HOME", home.toString(), "SPUR_DATABASE_URL", ""), "serve", "--port", "0");
    }

    private static String address(SpurProcess spur) throws Exception {
        Matcher address = ADDRESS.matcher(spur.awaitLine("Spur is ready"));
        assertThat(address.find()).isTrue();
        return address.group();
    }

    private void submitUntilItIsKilled(String address, SpurProcess spur) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        for (int c = 0; c < CLIENTS; c++) {
            clients.execute(() -> submitWhileItAnswers(address));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (confirmed.size() < BEFORE_THE_KILL && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        spur.kill();
        clients.shutdown();
        assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private void submitWhileItAnswers(String address) {
        try {
            while (true) {
                String id = "job-" + number.incrementAndGet();
                sent.add(id);
                if (submit(address, id) == 201) {
                    confirmed.add(id);
                }
            }
        } catch (IOException killed) {
            // nothing answers any more, which is the end of this client
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int submit(String address, String externalId) throws IOException, InterruptedException {
        ObjectNode job = (ObjectNode) EXAMPLE.deepCopy();
        job.put("externalId", externalId).put("waitForHardware", true).remove(List.of("tenant", "deadline"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/api/v1/jobs"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", externalId)
                .POST(HttpRequest.BodyPublishers.ofString(job.toString()))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private List<String> jobs(String address) throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        String cursor = "";
        while (!cursor.equals("null")) {
            URI page = URI.create(address + "/api/v1/jobs?limit=500" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            JsonNode body = RoundJson.mapper()
                    .readTree(http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                            .body());
            body.path("items").forEach(job -> ids.add(job.path("externalId").asString()));
            cursor = body.path("next").isNull() ? "null" : body.path("next").asString();
        }
        return ids;
    }
}

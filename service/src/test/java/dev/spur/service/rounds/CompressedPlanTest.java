package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.PlanFeed;
import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Whole plans are sent in gzip to who takes that, under one tag for both codings. */
class CompressedPlanTest extends ServiceTest {
    private static final String CURRENT = "/api/v1/plans/current";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Autowired
    private TestRounds rounds;

    @Autowired
    private PlanFeed feed;

    @BeforeEach
    void publish() throws InterruptedException {
        world.node("n1", 4);
        for (int i = 0; i < 30; i++) {
            world.job(4);
        }
        rounds.begin();
        rounds.run();
        awaitFeed();
    }

    private CompletableFuture<HttpResponse<byte[]>> ask(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> get(String path, String... headers) {
        return ask(path, headers).join();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }

    private static String unpacked(HttpResponse<byte[]> answer) {
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CURRENT, "/api/v1/plans/1"})
    void aPlanIsTheSameInBothCodings(String path) {
        HttpResponse<byte[]> plain = get(path);
        HttpResponse<byte[]> packed = get(path, "Accept-Encoding", "gzip");

        assertThat(header(plain, "Content-Encoding")).isEqualTo("none");
        assertThat(unpacked(packed)).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
        assertThat(packed.body().length).isLessThan(plain.body().length / 3);
        for (HttpResponse<byte[]> answer : List.of(plain, packed)) {
            assertThat(header(answer, "ETag")).isEqualTo("W/\"1\"");
            assertThat(String.join(",", answer.headers().allValues("Vary")).toLowerCase(Locale.ROOT))
                    .contains("authorization", "accept-encoding");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, deflate, br | gzip",
                "GZIP;q=0.5 | gzip",
                "* | gzip",
                "*;q=0, gzip | gzip",
                "br | none",
                "gzip;q=0, * | none",
                "identity;q=1, *;q=0 | none",
                ";;, | none"
            })
    void aCallerGetsWhatItTakes(String taken, String coding) {
        HttpResponse<byte[]> answer = get(CURRENT, "Accept-Encoding", taken);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "Content-Encoding")).isEqualTo(coding);
    }

    @ParameterizedTest
    @ValueSource(strings = {CURRENT, "/api/v1/plans/1"})
    void aTagCountsWhateverTheCodingAndAlsoAsItWasBefore(String path) {
        for (String tag : new String[] {"W/\"1\"", "\"1\"", "\"0\", W/\"1\""}) {
            for (String coding : new String[] {"gzip", "identity"}) {
                if (path.equals(CURRENT) && tag.startsWith("\"0\"")) {
                    continue; // a list begins with the newest there
                }
                HttpResponse<byte[]> answer = get(path, "If-None-Match", tag, "Accept-Encoding", coding);

                assertThat(answer.statusCode()).as(tag).isEqualTo(304);
                assertThat(header(answer, "ETag")).isEqualTo("W/\"1\"");
                assertThat(answer.body()).isEmpty();
            }
        }
    }

    @Test
    void whoWaitsGetsItsCodingToo() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> packed =
                ask(CURRENT, "If-None-Match", "W/\"1\"", "Accept-Encoding", "gzip");
        assertThat(packed.join().statusCode()).isEqualTo(304);
        packed = ask(CURRENT + "?after=1&wait=30", "Accept-Encoding", "gzip");
        CompletableFuture<HttpResponse<byte[]>> plain = ask(CURRENT + "?after=1&wait=30");
        await(() -> feed.waiting() == 2);

        world.node("n2", 4);
        rounds.run();

        assertThat(unpacked(packed.join())).isEqualTo(new String(plain.join().body(), StandardCharsets.UTF_8));
        assertThat(header(packed.join(), "ETag")).isEqualTo("W/\"2\"");
    }

    @Test
    void whoSeesAPartGetsThatInItsCoding() {
        world.sql("insert into tenant (name, parent, weight, quotas) values ('team', 'root', 1, '{}')");
        world.sql("update job set tenant = 'team' where id = (select id from job where allocation is not null)");
        String secret = world.token(Role.VIEWER, "team", null);

        HttpResponse<byte[]> plain = get(CURRENT, "Authorization", "Bearer " + secret);
        HttpResponse<byte[]> packed = get(CURRENT, "Authorization", "Bearer " + secret, "Accept-Encoding", "gzip");

        assertThat(unpacked(packed)).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
        assertThat(plain.body().length).isLessThan(get(CURRENT).body().length);
    }

    @Test
    void partsOfNodesStayAsTheyAre() {
        HttpResponse<byte[]> part = get("/api/v1/nodes/n1/assignments", "Accept-Encoding", "gzip");

        assertThat(header(part, "ETag")).isEqualTo("\"1\"");
        assertThat(header(part, "Content-Encoding")).isEqualTo("none");
    }
}

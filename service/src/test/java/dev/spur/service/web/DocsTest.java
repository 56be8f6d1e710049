package dev.spur.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class DocsTest {

    private static final TestDatabase DATABASE = TestDatabase.migrated();

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void useTheDatabase(DynamicPropertyRegistry registry) {
        DATABASE.register(registry);
    }

    @Test
    void thePageRefersToNothingOutsideThisMachine() throws Exception {
        var page = get("/docs");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        var references = Pattern.compile("(?:src|href|url)[=:] ?\"([^\"]+)\"").matcher(page.body());
        assertThat(references.results().map(match -> match.group(1)))
                .hasSize(4)
                .noneMatch(reference -> reference.contains("//"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/webjars/swagger-ui/swagger-ui.css", "/webjars/swagger-ui/swagger-ui-bundle.js", "/docs/page.js"
            })
    void whatThePageNeedsIsThere(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(200);
    }

    @Test
    void theContractIsServedWithExamplesOfToday() throws Exception {
        try (var file = getClass().getResourceAsStream("/openapi.yaml")) {
            String stored = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            var contract = get("/openapi.yaml");

            assertThat(contract.headers().firstValue("Content-Type")).contains("application/yaml");
            assertThat(contract.body())
                    .isEqualTo(DocsController.withExamplesOf(stored, LocalDate.now(ZoneOffset.UTC)))
                    .contains("deadline: '" + LocalDate.now(ZoneOffset.UTC).plusDays(10) + "T12:00:00Z'");
            assertThat(DocsController.withExamplesOf(stored, LocalDate.of(2026, 11, 21)))
                    .isEqualTo(stored);
        }
    }

    /** A time outside of the year of the examples would not move with them. */
    @Test
    void theTimesOfAllExamplesMove() throws Exception {
        try (var file = getClass().getResourceAsStream("/openapi.yaml")) {
            String stored = new String(file.readAllBytes(), StandardCharsets.UTF_8);

            assertThat(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:")
                            .matcher(DocsController.withExamplesOf(stored, LocalDate.of(3026, 11, 21)))
                            .results()
                            .map(time -> time.group().substring(0, 2)))
                    .doesNotContain("20");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/live", "/health/ready"})
    void theServiceSaysThatItIsWell(String path) throws Exception {
        var health = get(path);

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"UP\"");
    }

    @Test
    void readinessIncludesTheStoreAndLivenessDoesNot() throws Exception {
        assertThat(get("/health/ready").body()).contains("\"db\"");
        assertThat(get("/health/live").body()).doesNotContain("\"db\"");
    }

    @Test
    void prometheusFindsMetrics() throws Exception {
        var metrics = get("/metrics");

        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.body()).contains("jvm_memory_used_bytes");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}

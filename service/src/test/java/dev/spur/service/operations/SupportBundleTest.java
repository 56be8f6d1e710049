package dev.spur.service.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

/** What somebody elsewhere gets to see. */
class SupportBundleTest extends ServiceTest {
    @Autowired
    private TestRounds rounds;

    @Autowired
    private SupportBundle bundle;

    private static Map<String, String> entries(byte[] archive) throws Exception {
        Map<String, String> entries = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive), StandardCharsets.UTF_8)) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(
                        entry.getName().replace("spur-support/", ""),
                        new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    private byte[] fetched() throws Exception {
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address() + "/api/v1/support-bundle"))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/zip");
        return answer.body();
    }

    @Test
    void theLastRoundCanBeSolvedAgainElsewhere() throws Exception {
        world.node("n1", 4);
        String job = world.job(2);
        rounds.begin();
        rounds.run();
        awaitFeed();

        Map<String, String> entries = entries(fetched());

        assertThat(entries.keySet())
                .containsExactly(
                        "about.json",
                        "properties.json",
                        "settings.json",
                        "metrics.txt",
                        "rounds.json",
                        "plan.json",
                        "problem.json",
                        "log.txt");
        RoundProblem problem = RoundJson.mapper().readValue(entries.get("problem.json"), RoundProblem.class);
        assertThat(problem.jobs()).extracting(each -> each.id()).containsExactly(job);
        assertThat(entries.get("plan.json")).contains(job);
        assertThat(entries.get("rounds.json")).contains("PUBLISHED");
        assertThat(entries.get("metrics.txt")).contains("spur_plan_revision");
        assertThat(entries.get("about.json")).contains("\"java\"");
    }

    @Test
    void theLogIsInItWithWhatWasThrown() throws Exception {
        LoggerFactory.getLogger(SupportBundleTest.class)
                .warn("an omen {}", 42, new IllegalStateException("of a disk that fills up"));

        assertThat(entries(bundle.zip()).get("log.txt"))
                .contains("an omen 42")
                .contains("IllegalStateException: of a disk that fills up");
    }

    @Test
    void anEmptyServiceHasOneToo() throws Exception {
        assertThat(entries(bundle.zip()).get("problem.json")).isEqualTo("null");
    }

    @Nested
    class NoSecretIsInIt {
        @Test
        void notOfTokensNorOfTheDatabase() throws Exception {
            String token = world.token(Role.OPERATOR, null, null);
            client().get("/api/v1/jobs", "Authorization", "Bearer " + token);

            String all = String.join("\n", entries(fetched()).values());

            assertThat(all).doesNotContain(token).doesNotContainPattern("postgresql://[^ \"]*:[^ \"]*@");
            assertThat(all).contains("(hidden)");
        }

        @Test
        void valuesUnderTellingNamesAreHiddenUnlessTheySayHowMany() {
            assertThat(RedactedConfiguration.redact("SPUR_DATABASE_URL", "postgresql://u:p@h/d"))
                    .isEqualTo("(hidden)");
            assertThat(RedactedConfiguration.redact("spring.datasource.password", "hunter2"))
                    .isEqualTo("(hidden)");
            assertThat(RedactedConfiguration.redact("SPUR_DATABASE_PASSWORD", "12345"))
                    .isEqualTo("(hidden)");
            assertThat(RedactedConfiguration.redact("spur.security.token-cache-seconds", "5"))
                    .isEqualTo("5");
            assertThat(RedactedConfiguration.redact("spur.rounds.enabled", "true"))
                    .isEqualTo("true");
        }
    }
}

package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.postgres.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Replicas as processes of their own that plan a domain each, under the leases of an installation; one of them is
 * killed.
 */
@Tag("fault")
class KilledDomainPlannerTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final int LIMIT_SECONDS = 60;
    private static final String HOLDERS =
            "select count(distinct holder) from planner_lease where name <> 'planner' and expires_at > clock_timestamp()";

    @Test
    void theOtherOnePlansBothDomains() throws Exception {
        try (var shared = TestDatabase.migrated();
                var one = start(shared);
                var two = start(shared)) {
            URI address = address(one);
            address(two);
            put(address, "/api/v1/pools/west", "{}");
            put(address, "/api/v1/planning-domains/west", "{\"pools\": [\"west\"]}");
            await(shared, HOLDERS + " having count(distinct holder) = 2");
            await(shared, """
                    select count(distinct domain) from round where status in ('PUBLISHED', 'UNCHANGED') and domain is not null
                    having count(distinct domain) = 2
                    """);
            String lost = shared.text("select name from planner_lease where holder like '%s@%%'".formatted(two.pid()));
            String epoch = shared.text("select lease_term from planner_lease where name = '%s'".formatted(lost));

            two.kill();
            long killed = System.nanoTime();
            await(
                    shared,
                    "select 1 from planner_lease where name = '%s' and lease_term > %s and holder like '%s@%%'"
                            .formatted(lost, epoch, one.pid()));
            tell("another one plans it", killed);
            await(shared, """
                    select 1 from round where 'planner/' || domain = '%s' and lease_term > %s and status in ('PUBLISHED', 'UNCHANGED') limit 1
                    """.formatted(lost, epoch));
            tell("its first round is over", killed);

            assertThat(shared.text("select count(*) from planner_lease where holder like '%s@%%'".formatted(one.pid())))
                    .isEqualTo("2");
        }
    }

    private static SpurProcess start(TestDatabase shared) throws Exception {
        return SpurProcess.start(shared.environment(), "serve", "--port", "0");
    }

    private static URI address(SpurProcess process) throws Exception {
        Matcher address = ADDRESS.matcher(process.awaitLine("Spur is ready"));
        assertThat(address.find()).isTrue();
        return URI.create(address.group());
    }

    private static void put(URI address, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** Waits until the question has an answer. */
    private static void await(TestDatabase database, String question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!database.text("select exists (%s)".formatted(question)).equals("t")) {
            assertThat(System.nanoTime()).as(question).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Times depend on the machine, so they are told and not judged. */
    private static void tell(String what, long sinceNanos) {
        System.out.printf(
                Locale.ROOT,
                "planner of one of two domains killed: %s after %.1f s%n",
                what,
                (System.nanoTime() - sinceNanos) / 1e9);
    }
}

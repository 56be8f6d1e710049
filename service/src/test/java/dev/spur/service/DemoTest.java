package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("process")
class DemoTest {
    private static final String JOBS = "/api/v1/jobs";

    @Test
    void showsANewcomerAPlanAndProgressGoesOnAfterARestartAndSubmitsAnotherForAJobThatEnds() throws Exception {
        try (var database = TestDatabase.create()) {
            Map<String, String> environment = Map.of(
                    "SPUR_DATABASE_URL", database.jdbcUrl(),
                    "SPUR_DATABASE_USER", database.user(),
                    "SPUR_DATABASE_PASSWORD", database.password());
            double before;
            try (var spur = SpurProcess.start(environment, "serve", "--demo", "--port", "0")) {
                Client client = client(spur);
                await(
                        client,
                        "/api/v1/plans/current",
                        plan -> plan.path("running").size() > 2);
                before = progress(await(client, JOBS, jobs -> progress(jobs) > 0));
                spur.terminate();
                assertThat(spur.awaitEnd().output()).doesNotContain("Exception");
            }
            try (var spur = SpurProcess.start(environment, "serve", "--demo", "--port", "0")) {
                Client client = client(spur);
                await(client, JOBS, now -> progress(now) > before);
                JsonNode jobs = await(client, JOBS, now -> now.path("items").size() == 12);

                client.post(JOBS + "/" + jobs.at("/items/0/id").asString() + "/cancel", "");

                await(client, JOBS, now -> now.path("items").size() == 13);
            }
        }
    }

    private static Client client(SpurProcess spur) throws Exception {
        String ready = spur.awaitLine("Spur is ready");
        return new Client(Integer.parseInt(ready.replaceAll(".*http://127\\.0\\.0\\.1:(\\d+).*", "$1")));
    }

    private static double progress(JsonNode jobs) {
        return jobs.path("items")
                .valueStream()
                .mapToDouble(job -> job.path("doneSamples").asDouble())
                .sum();
    }

    private static JsonNode await(Client client, String path, Predicate<JsonNode> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (System.nanoTime() < end) {
            var answer = client.get(path);
            if (answer.statusCode() == 200 && condition.test(Client.json(answer))) {
                return Client.json(answer);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        throw new AssertionError("waited too long for " + path);
    }
}

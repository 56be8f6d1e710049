package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** SIGINT, as Ctrl-C sends it, during and after solves of CP-SAT: shutdown hooks run and the exit code is 130. */
@Tag("process")
class InterruptTest {
    private static final Path EXAMPLES =
            Path.of("..", "examples").toAbsolutePath().normalize();
    private static final int INTERRUPTED = 130;
    /** How often the small example is repeated so that CP-SAT takes several seconds for it. */
    private static final int COPIES = 200;

    @TempDir
    private Path folder;

    @Test
    void theServiceStopsInOrderAfterASolve() throws Exception {
        try (var database = TestDatabase.migrated();
                var spur = start(database.environment(), "serve", "--port", "0")) {
            String ready = spur.awaitLine("Spur is ready");
            Client client = new Client(Integer.parseInt(ready.replaceAll(".*:(\\d+)  .*", "$1")));
            var solved = client.post("/api/v1/solve", Files.readString(EXAMPLES.resolve("round.json")));
            assertThat(solved.statusCode()).as(solved.body()).isEqualTo(200);

            spur.signal("INT");

            assertInterrupted(spur.awaitEnd());
        }
    }

    @Test
    void aReplayStopsAfterASolve() throws Exception {
        try (var spur = start(
                Map.of(),
                "simulate",
                "--trace=" + EXAMPLES.resolve("trace.json"),
                "--format=spur",
                "--cluster=" + EXAMPLES.resolve("cluster.json"),
                "--policy=cp-sat,spur,cp-sat")) {
            spur.awaitLine("of 60 jobs");

            spur.signal("INT");

            assertInterrupted(spur.awaitEnd());
        }
    }

    @Test
    void aSolveStopsAtOnce() throws Exception {
        Path round = folder.resolve("round.json");
        Files.writeString(round, enlarged().toString());
        try (var spur = start(Map.of(), "solve", round.toString(), "--policy=cp-sat")) {
            spur.awaitInStack("ortools.sat.mainJNI.SolveWrapper_solve(Native Method)");

            spur.signal("INT");

            assertInterrupted(spur.awaitEnd());
        }
    }

    /** A JVM logs its heap when it exits in order, but not when a signal ends it, which gives the same exit code. */
    private static SpurProcess start(Map<String, String> environment, String... arguments) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_TOOL_OPTIONS", "-Xlog:gc+heap+exit");
        return SpurProcess.start(all, arguments);
    }

    private static void assertInterrupted(SpurProcess.Result result) {
        assertThat(result.output())
                .as("an exit in order")
                .contains("[gc,heap,exit")
                .doesNotContain("terminate called", "ERROR");
        assertThat(result.status()).as(result.output()).isEqualTo(INTERRUPTED);
    }

    private static JsonNode enlarged() throws IOException {
        ObjectNode round = (ObjectNode) RoundJson.mapper().readTree(EXAMPLES.resolve("round.json"));
        round.set("nodes", copies(round.path("nodes")));
        round.set("jobs", copies(round.path("jobs")));
        return round;
    }

    private static ArrayNode copies(JsonNode items) {
        ArrayNode all = RoundJson.mapper().createArrayNode();
        for (int copy = 0; copy < COPIES; copy++) {
            for (JsonNode item : items) {
                ObjectNode another = (ObjectNode) item.deepCopy();
                another.remove("allocation");
                all.add(another.put("id", item.path("id").asString() + "-" + copy));
            }
        }
        return all;
    }
}

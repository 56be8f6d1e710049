package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.json.RoundJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A training that was written for AdaptDL, on two nodes with real agents. */
@Tag("training")
class AdaptDlTest {
    @TempDir
    private Path folder;

    private TrainingSite site;

    @BeforeEach
    void twoNodes() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        site = new TrainingSite(folder);
        site.startAgent("left");
        site.startAgent("right");
    }

    @AfterEach
    void stop() throws Exception {
        if (site != null) {
            site.end();
        }
    }

    /** Two ranks on two nodes, with nothing for AdaptDL but one variable. */
    private String submit() throws Exception {
        Path program = folder.resolve("training.py");
        try (var script = AdaptDlTest.class.getResourceAsStream("/adaptdl_training.py")) {
            Files.write(program, script.readAllBytes());
        }
        ObjectNode job = (ObjectNode) RoundJson.mapper().readTree("""
                {"owner": "test", "name": "adaptdl",
                 "command": {"program": "python3", "args": ["-B"], "env": {"ADAPTDL_SUPERVISOR_URL": "spur"}},
                 "spec": {"work": {"unit": "SAMPLES", "amount": 1000000}, "elasticity": {"minSlots": 2, "maxSlots": 2},
                          "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64}, "restartPenaltySeconds": 1,
                          "profile": {"points": [{"acceleratorType": "stated", "slots": 2, "nodes": 2, "batchSize": 64,
                                                  "strategy": "ALL_REDUCE", "samplesPerSecond": 300}]}}}
                """);
        ((tools.jackson.databind.node.ArrayNode) job.at("/command/args")).add(program.toString());
        return RoundJson.mapper()
                .readTree(site.send("POST", "/jobs", job.toString()).body())
                .path("id")
                .asString();
    }

    private JsonNode saved(String job, long generation) throws Exception {
        Path state = site.checkpoints(job).resolve("checkpoint-" + generation).resolve("state");
        return Files.exists(state)
                ? RoundJson.mapper().readTree(Files.readString(state))
                : RoundJson.mapper().createObjectNode();
    }

    @Test
    void findsItsMembersReportsItsSpeedAndContinuesAfterARestart() throws Exception {
        String job = submit();
        TrainingSite.await("the first checkpoint", () -> saved(job, 1).has("total"));
        JsonNode first = saved(job, 1);
        assertThat(first.path("total").asInt()).isEqualTo(1 + 2);
        assertThat(first.path("addresses").toString()).isEqualTo("[\"127.0.0.1\",\"127.0.0.1\"]");
        assertThat(first.path("hints").asInt()).isEqualTo(200);
        List<JsonNode> figures = site.get("/jobs/" + job + "/prediction").findValues("noiseScale");
        assertThat(figures).extracting(JsonNode::asDouble).contains(64 * 2 / 0.5);

        site.send("POST", "/jobs/" + job + "/hold", "");
        TrainingSite.await("the stop", () -> site.node(job).isEmpty());
        site.send("POST", "/jobs/" + job + "/release", "");
        TrainingSite.await(
                "the end", () -> site.job(job).path("state").asString().equals("DONE"));

        long last = site.job(job).path("generation").asLong();
        assertThat(saved(job, last).path("total").asInt()).isEqualTo(2 * (1 + 2));
        assertThat(saved(job, last).path("from")).isEqualTo(first);
    }
}

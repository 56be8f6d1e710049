package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** From a failed process on a node to the cause that a user reads. */
@Tag("process")
class TrainingLogsTest {
    @TempDir
    private static Path folder;

    private static TrainingSite site;

    @BeforeAll
    static void startEverything() throws Exception {
        site = new TrainingSite(folder);
        site.startAgent("left");
        site.startAgent("right");
    }

    @AfterAll
    static void endEverything() throws Exception {
        site.end();
    }

    private static void awaitState(String job, String state) throws Exception {
        TrainingSite.await(
                "state " + state, () -> site.job(job).path("state").asString().equals(state));
    }

    private static void awaitCompleteLog(String job) throws Exception {
        TrainingSite.await(
                "the whole log",
                () -> site.get("/jobs/%s/logs".formatted(job)).path("complete").asBoolean());
    }

    private static List<String> lines(JsonNode from) {
        return from.path("lines").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void aFailedGangStatesTheRankItsExitCodeAndItsLastLinesWithoutSecrets() throws Exception {
        String job = site.script("fails", 2, 0, """
                if [ "$RANK" = 1 ]; then echo "using $A_SECRET"; echo "loss is nan" >&2; exit 3; fi; exec sleep 1000""");
        awaitState(job, "FAILED");
        awaitCompleteLog(job);

        JsonNode failure = site.job(job).path("failure");
        JsonNode logs = site.get("/jobs/%s/logs".formatted(job));

        assertThat(failure.path("message").asString())
                .matches("Attempt 1 of 1 failed. Rank 1 on node \\w+ exited with code 3.");
        assertThat(lines(failure)).containsExactly("using ***", "loss is nan");
        assertThat(logs.path("ranks")
                        .valueStream()
                        .map(rank -> rank.path("exitCode").asInt()))
                .containsExactly(143, 3);
        assertThat(logs.at("/ranks/0/stopped").asBoolean()).isTrue();
        assertThat(Path.of(logs.at("/ranks/1/path").asString())).content().contains(TrainingSite.SECRET);
        assertThat(logs.toString()).doesNotContain(TrainingSite.SECRET);
        assertThat(spur("why", job))
                .contains("FAILED: Attempt 1 of 1 failed.", "exited with code 3", "  loss is nan", "./spur logs " + job)
                .doesNotContain(TrainingSite.SECRET);
        assertThat(spur("logs", job, "--rank", "1"))
                .contains("using ***", "exit code 3; whole log: ")
                .doesNotContain("rank 0");
        assertThat(spur("events", "fails", "-f")).contains("SUBMITTED", "cause=RESTARTS_EXHAUSTED");
    }

    @Test
    void aFollowerPrintsNewOutputUntilTheEnd() throws Exception {
        Path end = folder.resolve("end of the followed job");
        String job = site.script("followed", 1, 0, """
                echo first; until [ -e '%s' ]; do sleep 0.1; done; echo last""".formatted(end));
        awaitState(job, "RUNNING");
        try (SpurProcess follower = SpurProcess.start(Map.of("SPUR_URL", site.address()), "logs", "-f", job)) {
            follower.awaitLine("first");
            Files.createFile(end);

            SpurProcess.Result result = follower.awaitEnd();
            assertThat(result.status()).isZero();
            assertThat(result.output())
                    .containsSubsequence("first", "last", "exit code 0")
                    .containsOnlyOnce("first");
        }
    }

    /** Output of a client command. */
    private static String spur(String... arguments) throws Exception {
        SpurProcess.Result result = SpurProcess.run(Map.of("SPUR_URL", site.address()), arguments);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void hugeBinaryOutputInOneLineIsBoundedAndDelaysNoHeartbeat() throws Exception {
        String job = site.script("huge", 1, 0, """
                head -c 100000000 /dev/zero | tr '\\0' x; head -c 30000000 /dev/urandom; echo; echo end; sleep 5; exit 4""");
        awaitState(job, "RUNNING");
        TrainingSite.await("a line of the running job", () -> {
            JsonNode logs = site.get("/jobs/%s/logs?wait=5".formatted(job));
            return lines(logs.at("/ranks/0")).contains("end");
        });
        awaitState(job, "FAILED");
        awaitCompleteLog(job);

        JsonNode logs = site.get("/jobs/%s/logs?lines=100000".formatted(job));
        assertThat(site.job(job).path("generation").asInt()).isEqualTo(1);
        assertThat(logs.at("/ranks/0/exitCode").asInt()).isEqualTo(4);
        assertThat(logs.toString()).hasSizeLessThan(2 * (128 << 10));
    }

    @Test
    void anAgentThatWasKilledUploadsTheLastOutputAfterItsRestart() throws Exception {
        Path end = folder.resolve("end");
        String job = site.script("agent killed", 1, 0, """
                echo started; until [ -e %s ]; do sleep 0.1; done; echo "too late"; exit 5""".formatted(end));
        TrainingSite.await("the start", () -> {
            JsonNode logs = site.get("/jobs/%s/logs?wait=5".formatted(job));
            return lines(logs.at("/ranks/0")).contains("started");
        });
        String node = site.node(job);
        site.agent(node).kill();
        Files.createFile(end);
        site.startAgent(node);

        TrainingSite.await(
                "the cause", () -> lines(site.job(job).path("failure")).contains("too late"));
        assertThat(lines(site.job(job).path("failure"))).containsExactly("started", "too late");
        assertThat(site.job(job).at("/failure/exitCode").asInt()).isEqualTo(5);
    }
}

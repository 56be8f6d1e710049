package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Gangs of a trainer and an evaluator on CPUs, which reads the checkpoints of the trainer, under real agents. */
@Tag("training")
class RolesTrainingTest {
    /** Records each start with its process, and the checkpoints that it sees. */
    private static final String EVALUATOR = "echo $SPUR_ROLE $SPUR_ROLE_INDEX $SPUR_GENERATION $$ >> OUT/starts;"
            + " while :; do ls $SPUR_CHECKPOINT_DIR/*/state.json >> OUT/seen; sleep 0.1; done";

    @TempDir
    private static Path folder;

    private static TrainingSite site;

    @BeforeAll
    static void startEverything() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        site = new TrainingSite(folder);
        site.startAgent("left", "--cpus=1");
        site.startAgent("right", "--cpus=1");
    }

    @AfterAll
    static void endEverything() throws Exception {
        if (site != null) {
            site.end();
        }
    }

    /** Submits a training of so many slots with evaluators that write to {@code out}. Returns its id. */
    private static String submit(String name, Path out, int slots, int evaluators, String onFailure, double cpus)
            throws Exception {
        Files.createDirectories(out);
        String body = """
                {"name": "%1$s", "owner": "test", "command": {"program": "python3", "graceSeconds": 2, "args": [
                   "-B", "%2$s", "--samples", "1000000", "--milliseconds", "20", "--save-every", "10"],
                   "roles": {"evaluator": {"program": "sh", "args": ["-c", "%3$s"], "onFailure": "%4$s"}}},
                 "spec": {"work": {"unit": "SAMPLES", "amount": 1000000}, "elasticity": {"minSlots": %5$d, "maxSlots": %5$d},
                   "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64}, "restartPenaltySeconds": 1,
                   "profile": {"points": [{"acceleratorType": "stated", "slots": %5$d, "nodes": %5$d, "batchSize": 64,
                     "samplesPerSecond": 300}]},
                   "roles": [{"name": "evaluator", "count": %6$d, "cpus": %7$s, "memoryGiB": 0}]}}
                """.formatted(
                        name,
                        Path.of("..", "examples", "training", "train.py")
                                .toAbsolutePath()
                                .normalize(),
                        EVALUATOR.replace("OUT", out.toString()),
                        onFailure,
                        slots,
                        evaluators,
                        cpus);
        var answer = site.send("POST", "/jobs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return RoundJson.mapper().readTree(answer.body()).path("id").asString();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static void awaitLines(Path file, int count) throws Exception {
        TrainingSite.await(count + " lines in " + file, () -> lines(file).size() >= count);
    }

    private static long pid(String start) {
        return Long.parseLong(start.substring(start.lastIndexOf(' ') + 1));
    }

    private static boolean anyIsAlive(Path out) throws IOException {
        return lines(out.resolve("starts")).stream()
                .anyMatch(start -> ProcessHandle.of(pid(start)).isPresent());
    }

    private static void awaitState(String job, String state) throws Exception {
        TrainingSite.await(state, () -> site.job(job).path("state").asString().equals(state));
    }

    @Test
    void trainerAndEvaluatorStartAndStopTogether() throws Exception {
        Path out = folder.resolve("together");
        String job = submit("together", out, 1, 1, "FAIL_JOB", 0.5);
        TrainingSite.await(
                "a checkpoint",
                () -> lines(out.resolve("seen")).stream()
                        .anyMatch(seen -> seen.startsWith(site.checkpoints(job).toString())));
        assertThat(lines(out.resolve("starts"))).singleElement().asString().startsWith("evaluator 0 1 ");

        site.send("POST", "/jobs/%s/hold".formatted(job), "");
        TrainingSite.await("the end of the evaluator", () -> !anyIsAlive(out));
        awaitState(job, "WAITING");
        site.send("POST", "/jobs/%s/release".formatted(job), "");
        awaitLines(out.resolve("starts"), 2);
        site.awaitProgress(job);

        site.send("POST", "/jobs/%s/cancel".formatted(job), "");
        TrainingSite.await("the end of the evaluator", () -> !anyIsAlive(out));
        awaitState(job, "CANCELLED");
        assertThat(lines(out.resolve("starts"))).hasSize(2);
    }

    @Test
    void aKilledEvaluatorRestartsTheGangOrItself() throws Exception {
        Path failing = folder.resolve("failing");
        Path restarting = folder.resolve("restarting");
        String failed = submit("failing", failing, 1, 1, "FAIL_JOB", 0.5);
        String restarted = submit("restarting", restarting, 1, 1, "RESTART", 0.5);
        awaitLines(failing.resolve("starts"), 1);
        awaitLines(restarting.resolve("starts"), 1);
        site.awaitProgress(failed);
        site.awaitProgress(restarted);

        for (Path out : List.of(failing, restarting)) {
            TrainingSite.signal("KILL", pid(lines(out.resolve("starts")).get(0)));
            awaitLines(out.resolve("starts"), 2);
        }

        assertThat(lines(restarting.resolve("starts")).get(1)).startsWith("evaluator 0 1 ");
        assertThat(lines(failing.resolve("starts")).get(1)).doesNotStartWith("evaluator 0 1 ");
        JsonNode failure = site.get("/jobs/%s/explanation".formatted(failed)).path("failure");
        assertThat(failure.path("message").asString())
                .contains("replica 0 of role evaluator failed with exit code 137; its output is in ");
        assertThat(site.job(restarted).path("generation").asInt()).isEqualTo(1);
        for (String job : List.of(failed, restarted)) {
            site.send("POST", "/jobs/%s/cancel".formatted(job), "");
            awaitState(job, "CANCELLED");
        }
    }

    @Test
    void evaluatorsAreSpreadOverTheNodesThatHaveTheirCpus() throws Exception {
        Path out = folder.resolve("spread");
        String job = submit("spread", out, 2, 3, "FAIL_JOB", 0.5);
        awaitLines(out.resolve("starts"), 3);

        assertThat(lines(out.resolve("starts")).stream().map(start -> start.substring(0, 12)))
                .containsExactlyInAnyOrder("evaluator 0 ", "evaluator 1 ", "evaluator 2 ");
        for (String node : List.of("left", "right")) {
            JsonNode own = site.get("/executors/%s/assignments".formatted(node)).at("/assignments/0/roles/0");
            assertThat(own.path("cpus").asDouble()).isEqualTo(0.5);
            assertThat(own.path("indices").size()).isBetween(1, 2);
        }
        site.send("POST", "/jobs/%s/cancel".formatted(job), "");
        awaitState(job, "CANCELLED");
        try (Stream<Path> logs = Files.list(folder.resolve("left/logs/roles/%s.evaluator".formatted(job)))) {
            assertThat(logs).isNotEmpty();
        }
    }

    @Test
    void rolesThatNoNodeCanRunAndCommandsOfOtherRolesAreRejected() throws Exception {
        String body = """
                {"name": "large", "command": {"program": "true", "roles": {"%s": {}}}, "spec": {
                  "elasticity": {"minSlots": 1, "maxSlots": 2}, "batch": {"initial": 64}, "family": "f",
                  "roles": [{"name": "evaluator", "count": 3, "cpus": 0.4, "memoryGiB": 0}]}}
                """;

        var tooLarge = site.send(
                "POST",
                "/jobs",
                body.replace("1, \"max", "2, \"max").replace("0.4", "0.6").formatted("evaluator"));
        var other = site.send("POST", "/jobs", body.formatted("other"));

        assertThat(tooLarge.statusCode()).as(tooLarge.body()).isEqualTo(422);
        assertThat(tooLarge.body()).contains("with its roles");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("/command").contains("must name only roles of spec ([evaluator])");
    }
}

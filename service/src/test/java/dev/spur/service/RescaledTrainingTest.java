package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real PyTorch training under a service and an agent with two slots. Another job starts and ends on the second slot,
 * so the plan changes the number of ranks while the training runs. Then the agent and a rank are killed in the change.
 */
@Tag("training")
@Tag("fault")
class RescaledTrainingTest {
    private static final Path PYTHON = Path.of("..", "python").toAbsolutePath().normalize();
    private static final Path TRAINING =
            Path.of("src", "test", "resources", "torch_rescale.py").toAbsolutePath();

    @TempDir
    private Path folder;

    private TrainingSite site;

    /** Step of a rank. */
    private record Step(long pid, long generation, int rank, int ranks, List<Integer> samples) {
        static Step of(String line) {
            List<Integer> numbers =
                    Arrays.stream(line.split(" ", -1)).map(Integer::valueOf).toList();
            return new Step(
                    numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), numbers.subList(4, numbers.size()));
        }
    }

    @Test
    void ranksJoinAndLeaveARunningTrainingWithoutARestart() throws Exception {
        Optional<String> python = ReconfiguredTrainingTest.pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch: apt-get install python3-torch");
        site = new TrainingSite(folder);
        try {
            site.startAgent("left", 2);
            String other = submitOther();
            TrainingSite.await("the other job", () -> slots(other) == 1);
            String job = id(submission(python.orElseThrow()));
            awaitRanks(1);

            cancel(other);
            awaitRanks(2);

            String next = submitOther();
            awaitRanks(1);
            TrainingSite.await(
                    "the next job on the released slot", () -> observed(next).equals("RUNNING"));

            cancel(next);
            TrainingSite.await("the plan of two slots", () -> slots(job) == 2);
            site.agent("left").kill();
            site.startAgent("left", 2);
            awaitRanks(2);

            assertThat(site.job(job).path("generation").asLong()).isEqualTo(1);
            List<Step> steps = steps();
            assertThat(steps.stream()
                            .filter(step -> step.rank() == 0)
                            .map(Step::pid)
                            .collect(Collectors.toSet()))
                    .as("the process of rank 0")
                    .hasSize(1);
            assertThat(steps.stream().flatMap(step -> step.samples().stream())).doesNotHaveDuplicates();

            kill(steps.get(steps.size() - 1).pid());
            TrainingSite.await("a restart from the checkpoint", () -> newest().generation() > 1);
            assertThat(site.job(job).path("generation").asLong()).isGreaterThan(1);
        } finally {
            site.end();
        }
    }

    private void awaitRanks(int ranks) throws Exception {
        TrainingSite.await(ranks + " ranks", () -> newest().ranks() == ranks);
    }

    private Step newest() throws IOException {
        List<Step> steps = steps();
        return steps.isEmpty() ? new Step(0, 0, 0, 0, List.of()) : steps.get(steps.size() - 1);
    }

    /** Complete lines; the last one may be incomplete. */
    private List<Step> steps() throws IOException {
        Path file = folder.resolve("steps");
        if (!Files.exists(file)) {
            return List.of();
        }
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Step::of)
                .toList();
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private int slots(String job) throws Exception {
        return site.job(job).at("/allocation/placement/0/devices").size();
    }

    private String observed(String job) throws Exception {
        return site.job(job).at("/observed/state").asString("");
    }

    /** A job of one slot that runs until it is cancelled, and before the training. */
    private String submitOther() throws Exception {
        ObjectNode job = submission("sleep", "1000");
        job.withObject("/spec").put("priority", 10).withObject("/elasticity").put("maxSlots", 1);
        return id(job);
    }

    private void cancel(String job) throws Exception {
        assertThat(site.send("POST", "/jobs/" + job + "/cancel", "").statusCode())
                .isEqualTo(200);
    }

    private String id(ObjectNode submission) throws Exception {
        return RoundJson.mapper()
                .readTree(site.send("POST", "/jobs", submission.toString()).body())
                .path("id")
                .asString();
    }

    private ObjectNode submission(String python) {
        ObjectNode job = submission(
                python, "-B", TRAINING.toString(), folder.resolve("steps").toString());
        job.withObject("/command")
                .putObject("env")
                .put("PYTHONPATH", PYTHON.toString())
                .put("OMP_NUM_THREADS", "1");
        job.withObject("/spec").putObject("changeCosts").put("rescaleSeconds", 1);
        return job;
    }

    private static ObjectNode submission(String program, String... arguments) {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("owner", "test").put("name", program.replaceAll(".*/", ""));
        var args = job.putObject("command")
                .put("program", program)
                .put("graceSeconds", 5)
                .putArray("args");
        Arrays.stream(arguments).forEach(args::add);
        ObjectNode spec = job.putObject("spec").put("restartPenaltySeconds", 5);
        spec.putObject("work").put("unit", "SAMPLES").put("amount", 100_000_000);
        spec.putObject("elasticity").put("maxSlots", 2);
        spec.putObject("batch").put("initial", 32).put("min", 32).put("max", 32).put("maxPerDevice", 32);
        var points = spec.putObject("profile").putArray("points");
        for (int slots = 1; slots <= 2; slots++) {
            points.addObject()
                    .put("acceleratorType", "stated")
                    .put("slots", slots)
                    .put("nodes", 1)
                    .put("batchSize", 32)
                    .put("strategy", "ALL_REDUCE")
                    .put("samplesPerSecond", 1000 * slots);
        }
        return job;
    }
}

package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real PyTorch training under a service and an agent. It starts with its initial batch size, because its gradient
 * noise scale is unknown. When it has reported the noise scale, the plan enlarges the batch while the training runs.
 */
@Tag("training")
class ReconfiguredTrainingTest {
    private static final Path PYTHON = Path.of("..", "python").toAbsolutePath().normalize();
    private static final Path TRAINING =
            Path.of("src", "test", "resources", "torch_training.py").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void theBatchOfARunningTrainingGrowsWithoutARestart() throws Exception {
        Optional<String> python = pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch: apt-get install python3-torch");
        Path steps = folder.resolve("steps");
        TrainingSite site = new TrainingSite(folder);
        try {
            site.startAgent("left");
            String job = RoundJson.mapper()
                    .readTree(site.send("POST", "/jobs", submission(python.orElseThrow(), steps))
                            .body())
                    .path("id")
                    .asString();
            // The plan may grow again before the training has read the first change.
            TrainingSite.await("a larger batch of the plan in the training", () -> {
                int planned = plannedBatch(site.job(job));
                return planned > 32 && batches(steps).contains(planned);
            });

            assertThat(site.job(job).path("generation").asLong()).isEqualTo(1);
            assertThat(batches(steps).get(0)).isEqualTo(32);
            assertThat(site.get("/jobs/" + job + "/events?limit=100")
                            .path("items")
                            .valueStream())
                    .extracting(event -> event.path("kind").asString())
                    .contains("RECONFIGURED")
                    .doesNotContain("PREEMPTED", "MOVED", "RESIZED");
            double before = site.job(job).path("doneSamples").asDouble();
            TrainingSite.await(
                    "progress after the change",
                    () -> site.job(job).path("doneSamples").asDouble() > before);
        } finally {
            site.end();
        }
    }

    private static int plannedBatch(JsonNode job) {
        return job.at("/allocation/configuration/batchSize").asInt(0);
    }

    private static List<Integer> batches(Path steps) throws IOException {
        if (!Files.exists(steps)) {
            return List.of();
        }
        return Files.readAllLines(steps).stream()
                .filter(line -> !line.isBlank())
                .map(Integer::valueOf)
                .toList();
    }

    private static String submission(String python, Path steps) {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("owner", "test").put("name", "torch");
        ObjectNode command = job.putObject("command").put("program", python);
        command.putArray("args").add("-B").add(TRAINING.toString()).add(steps.toString());
        command.putObject("env").put("PYTHONPATH", PYTHON.toString());
        ObjectNode spec = job.putObject("spec");
        spec.putObject("work").put("unit", "SAMPLES").put("amount", 1_000_000);
        spec.putObject("elasticity").put("maxSlots", 1);
        spec.putObject("batch")
                .put("initial", 32)
                .put("min", 32)
                .put("max", 128)
                .put("maxPerDevice", 128);
        ArrayNode points = spec.putObject("profile").putArray("points");
        point(points, 32, 2_000);
        point(points, 128, 8_000);
        spec.put("restartPenaltySeconds", 2);
        spec.putObject("changeCosts").put("reconfigureSeconds", 0.1);
        return job.toString();
    }

    private static void point(ArrayNode points, int batch, double speed) {
        points.addObject()
                .put("acceleratorType", "stated")
                .put("slots", 1)
                .put("nodes", 1)
                .put("batchSize", batch)
                .put("strategy", "ALL_REDUCE")
                .put("samplesPerSecond", speed);
    }

    static Optional<String> pythonWithTorch() {
        return Stream.of("python3", "/usr/bin/python3")
                .filter(ReconfiguredTrainingTest::hasTorch)
                .findFirst();
    }

    private static boolean hasTorch(String python) {
        try {
            return new ProcessBuilder(python, "-c", "import torch")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

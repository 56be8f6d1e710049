package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PyTorch training under a service and two agents with one slot each. Nodes are drained in turn, so it moves
 * while its next rank starts on the other node. Each part of the site is killed once in a move.
 */
@Tag("training")
@Tag("fault")
class MigratedTrainingTest {
    private static final int PREPARATION_SECONDS = 3;

    @TempDir
    private Path folder;

    private TrainingSite site;
    private TorchJobs jobs;
    private String job;

    @Test
    void movesWhileItTrains() throws Exception {
        Optional<String> python = ReconfiguredTrainingTest.pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch: apt-get install python3-torch");
        site = new TrainingSite(folder);
        jobs = new TorchJobs(site, folder, python.orElseThrow());
        try (DeviceWatch watch = new DeviceWatch(folder)) {
            site.startAgent("left", 1);
            job = jobs.submit("migrateSeconds", 1, PREPARATION_SECONDS);
            awaitSteps(1);
            site.startAgent("right", 1);

            warmUp(2, "left", "right");
            awaitSteps(2);
            TrainingSite.await(
                    "its stall", () -> Files.readString(report("right", 2)).contains("\"MIGRATE\""));

            warmUp(3, "right", "left");
            kill(3);
            awaitSteps(3);

            warmUp(4, "left", "right");
            site.agent("right").kill();
            site.startAgent("right", 1);
            awaitSteps(4);

            warmUp(5, "right", "left");
            site.killService();
            site.startService();
            awaitSteps(5);
            assertThat(jobs.steps().stream().flatMap(step -> step.samples().stream()))
                    .as("samples of a training whose previous rank always saved a checkpoint")
                    .doesNotHaveDuplicates();

            warmUp(6, "left", "right");
            kill(5);
            awaitSteps(6);
            double counted = site.job(job).path("doneSamples").asDouble();
            assertThat(jobs.steps().stream()
                            .flatMap(step -> step.samples().stream())
                            .distinct()
                            .count())
                    .isGreaterThanOrEqualTo((long) counted);
            assertThat(watch.conflicts())
                    .as("devices in two generations")
                    .noneMatch(conflict -> conflict.contains(" is held by "));
        } finally {
            site.end();
        }
    }

    /** Drains a node, so that the processes of {@code generation}, the next one, start on the other node. */
    private void warmUp(long generation, String from, String to) throws Exception {
        site.send("POST", "/nodes/%s/activate".formatted(to), "");
        site.send("POST", "/nodes/%s/drain".formatted(from), "");
        TrainingSite.await(
                "processes of generation " + generation,
                () -> !DeviceWatch.processes(folder, job + "." + generation).isEmpty());
        assertThat(jobs.newest().generation()).as("the previous rank trains").isEqualTo(generation - 1);
    }

    private void awaitSteps(long generation) throws Exception {
        TrainingSite.await("steps of generation " + generation, () -> stepsOf(generation) > 5);
    }

    private long stepsOf(long generation) throws Exception {
        return jobs.steps().stream()
                .filter(step -> step.generation() == generation)
                .count();
    }

    private void kill(long generation) {
        List<Long> processes = DeviceWatch.processes(folder, job + "." + generation);
        assertThat(processes).isNotEmpty();
        processes.forEach(TorchJobs::kill);
    }

    private Path report(String node, long generation) {
        return folder.resolve(node)
                .resolve("runs")
                .resolve(job + "." + generation)
                .resolve("report/progress.json");
    }
}

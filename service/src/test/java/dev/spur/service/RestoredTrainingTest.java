package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that really train went on after the export: moved, and new ones started. Then the export is restored. */
@Tag("training")
class RestoredTrainingTest {
    @TempDir
    private Path folder;

    @Test
    void nothingRunsTwiceAndWhatWasTrainedAfterTheExportIsKept() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        TrainingSite site = new TrainingSite(folder);
        try (DeviceWatch watch = new DeviceWatch(folder)) {
            site.startAgent("left");
            site.startAgent("right");
            String job = site.submit("known to the export", "--milliseconds=20", "--save-every=2");
            site.awaitProgress(job);
            Path export = folder.resolve("export");
            site.export(export);
            String later = move(site, job);
            int trained = site.saved(job).path("samples").asInt();
            long last = newest(site, job);
            long revision = site.get("/plans/current").path("revision").asLong();

            site.restore(export);

            assertThat(site.job(job).path("generation").asLong()).isLessThan(last);
            assertThat(site.send("GET", "/jobs/" + later, "").statusCode()).isEqualTo(404);
            TrainingSite.await("the next generation", () -> newest(site, job) > last);
            assertThat(site.get("/plans/current").path("revision").asLong()).isGreaterThan(revision);
            site.awaitProgress(job);
            assertThat(site.saved(job).path("samples").asInt()).isGreaterThanOrEqualTo(trained);
            TrainingSite.await(
                    "the end of what nobody knows",
                    () -> DeviceWatch.holders(folder).values().stream()
                            .noneMatch(held -> held.toString().contains(later)));
            assertThat(watch.conflicts()).isEmpty();
            assertThat(watch.looks()).isPositive();
        } finally {
            site.end();
        }
    }

    /**
     * Has a job go on on the other node under generation 2, and another one start where it was. Returns the other one.
     */
    private static String move(TrainingSite site, String job) throws Exception {
        String node = site.node(job);
        site.send("POST", "/nodes/%s/drain".formatted(node), "");
        TrainingSite.await("the move", () -> newest(site, job) >= 2);
        site.send("POST", "/nodes/%s/activate".formatted(node), "");
        String later = site.submit("not known to the export", "--milliseconds=20");
        TrainingSite.await("the later job", () -> Files.isDirectory(site.checkpoints(later)));
        return later;
    }

    /** The newest generation that has saved anything; 0 if none has. */
    private static long newest(TrainingSite site, String job) throws Exception {
        try (var folders = Files.list(site.checkpoints(job))) {
            return folders.filter(generation -> Files.exists(generation.resolve("state.json")))
                    .mapToLong(generation ->
                            Long.parseLong(generation.getFileName().toString().replace("gen-", "")))
                    .max()
                    .orElse(0);
        }
    }
}

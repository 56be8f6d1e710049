package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose state folder is on a file system of its own, which another program fills. */
@Tag("training")
class FullDiskTest {
    private static final int LEASE_AND_GRACE_SECONDS = 14;

    @TempDir
    private Path folder;

    private Path disk;
    private TrainingSite site;

    @BeforeEach
    void startOnASmallDisk() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        disk = Files.createDirectory(folder.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk.toString()) == 0,
                "this user must not mount file systems, so no disk is filled");
        site = new TrainingSite(folder);
        site.startAgent("small");
    }

    @AfterEach
    void stop() throws Exception {
        if (site != null) {
            site.end();
            // the guard of a run that has ended may still close its log
            run("umount", "--lazy", disk.toString());
        }
    }

    private static int run(String... words) throws Exception {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
    }

    private Path fill() throws IOException {
        Path filler = disk.resolve("filler");
        try (OutputStream output = Files.newOutputStream(filler)) {
            while (true) {
                output.write(new byte[1 << 10]);
            }
        } catch (IOException full) {
            assertThat(disk.toFile().getUsableSpace()).isZero();
        }
        return filler;
    }

    private String refusal() throws Exception {
        return site.get("/executors/small").path("startRefusal").asString("");
    }

    @Test
    void losesNoFirstReport() throws Exception {
        Path started = folder.resolve("started");
        Path full = folder.resolve("full");
        Path reporter = Path.of("..", "python").toAbsolutePath().normalize();
        String job = site.script(
                "reports on a full disk",
                1,
                0,
                "touch %s; until [ -e %s ]; do sleep 0.1; done; PYTHONPATH=%s exec python3 -B -c '%s'"
                        .formatted(
                                started,
                                full,
                                reporter,
                                "import spur.reporter as s; s.connect().step(%d)".formatted(TrainingSite.SAMPLES)));
        TrainingSite.await("the start", () -> Files.exists(started));
        fill();
        Files.createFile(full);

        TrainingSite.await(
                "the end", () -> site.job(job).path("state").asString().equals("DONE"));

        assertThat(site.job(job).path("doneSamples").asDouble()).isEqualTo(TrainingSite.SAMPLES);
    }

    @Test
    void endsNoTrainingAndStartsNoneUntilThereIsSpace() throws Exception {
        String running = site.submit("on a disk that fills", "--milliseconds=6");
        site.awaitProgress(running);
        Path filler = fill();
        TrainingSite.await("the report", () -> refusal().contains("full"));

        site.agent("small").kill();
        site.startAgent("small");
        assertThat(site.agent("small").awaitLine("reattached to 1 run")).isNotEmpty();
        String waiting = site.submit("while the disk is full", "--milliseconds=1");
        TimeUnit.SECONDS.sleep(LEASE_AND_GRACE_SECONDS);
        site.awaitAllItsWork(running);
        assertThat(site.job(running).path("generation").asLong()).isEqualTo(1);
        assertThat(site.job(waiting).path("generation").asLong()).isZero();

        Files.delete(filler);
        site.awaitAllItsWork(waiting);
        assertThat(refusal()).isEmpty();
    }
}

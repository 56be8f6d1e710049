package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.cli.SubmitCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Jobs with a maximum run time, and scripts of Slurm, under a real service and a real agent. */
@Tag("training")
class TimedTrainingTest {
    private static final String NODE = "timed";

    @TempDir
    private static Path folder;

    private static TrainingSite site;

    @BeforeAll
    static void startEverything() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        site = new TrainingSite(folder);
        site.startAgent(NODE);
    }

    @AfterAll
    static void endEverything() throws Exception {
        if (site != null) {
            site.end();
        }
    }

    private static void limit(String job, int seconds) throws Exception {
        assertThat(site.send("PATCH", "/jobs/" + job, """
                        {"spec": {"timeLimit": {"seconds": %d}}}
                        """.formatted(seconds), "If-Match", "*")
                        .statusCode())
                .isEqualTo(200);
    }

    private static void awaitState(String job, String state) throws Exception {
        TrainingSite.await(state, () -> site.job(job).path("state").asString().equals(state));
    }

    @Test
    void aJobEndsByItsLimitWithItsCheckpointAlsoAfterARestartOfTheService() throws Exception {
        String job = site.submit("timed", "--milliseconds=20", "--save-every=1000000");
        site.awaitProgress(job);
        limit(job, 12);
        site.killService();
        site.startService();
        site.awaitProgress(job);

        awaitState(job, "FAILED");
        TrainingSite.await(
                "the end of its processes",
                () -> DeviceWatch.holders(folder.resolve(NODE)).isEmpty());

        assertThat(site.job(job).at("/failure/message").asString())
                .isEqualTo("The job has reached its time limit of 0:00:12.");
        double reported = site.job(job).path("doneSamples").asDouble();
        assertThat(site.saved(job).path("samples").asDouble())
                .as("saved on the signal, and at least what was reported")
                .isGreaterThanOrEqualTo(reported)
                .isGreaterThan(0);
    }

    @Test
    void aScriptOfSlurmRuns() throws Exception {
        Path out = folder.resolve("out");
        Path script = Files.writeString(folder.resolve("train.sh"), """
                #!/bin/bash
                #SBATCH --job-name=from-slurm --gpus=1 --time=5
                #SBATCH --export=TEXT='a b' --output=%%j.out
                echo "$SLURM_JOB_NAME $SLURM_NNODES $SLURM_GPUS_ON_NODE $TEXT $1 $0" > %s
                """.formatted(out));
        StringWriter printed = new StringWriter();
        StringWriter warned = new StringWriter();

        int code = new CommandLine(new SubmitCommand())
                .setOut(new PrintWriter(printed))
                .setErr(new PrintWriter(warned))
                .execute("--service", site.address(), "-o", "name", script.toString(), "--", "--lr");

        assertThat(code).as(warned.toString()).isZero();
        assertThat(warned.toString()).contains("line 3: --output=%j.out: use ./spur logs JOB");
        String job = printed.toString().strip();
        awaitState(job, "DONE");
        assertThat(Files.readString(out)).isEqualTo("from-slurm 1 1 a b --lr %s%n".formatted(script));
        assertThat(site.job(job).at("/spec/timeLimit/seconds").asInt()).isEqualTo(300);
    }
}

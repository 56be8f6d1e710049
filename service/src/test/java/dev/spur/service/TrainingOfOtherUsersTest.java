package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that runs as root, with a user for one tenant and none for the others. */
@Tag("training")
class TrainingOfOtherUsersTest {
    private static final String USER =
            "spurt-%d".formatted(ProcessHandle.current().pid());

    @TempDir
    private static Path folder;

    private static TrainingSite site;

    @BeforeAll
    static void startEverything() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        assumeTrue(System.getProperty("user.name").equals("root"), "requires root, to create a user of jobs");
        assumeTrue(run("sh", "-c", "command -v useradd userdel setpriv getent") == 0, "requires useradd and setpriv");
        assertThat(run("useradd", "--system", "--user-group", "--no-create-home", USER))
                .isZero();
        assumeTrue(
                run("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "test", "-r", "../examples/training")
                        == 0,
                "requires a checkout that other users can read");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        site = new TrainingSite(folder);
        site.startAgent("left", "--user=root=" + USER);
    }

    @AfterAll
    static void endEverything() throws Exception {
        if (site != null) {
            site.end();
        }
        run("userdel", USER);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void aTrainingContinuesAfterAKilledAgentAndFromItsCheckpointAfterAHold() throws Exception {
        String job = site.submit("of another user", "--milliseconds=5");
        site.awaitProgress(job);
        site.agent("left").kill();
        site.startAgent("left", "--user=root=" + USER);
        assertThat(site.agent("left").awaitLine("reattached to 1 run")).isNotEmpty();
        site.awaitProgress(job);
        site.send("POST", "/jobs/%s/hold".formatted(job), "");
        TrainingSite.await("the end of the generation", () -> site.node(job).isEmpty());
        Path saved = folder.resolve("checkpoints/root").resolve(job);
        TrainingSite.await("the checkpoint", () -> Files.exists(saved.resolve("gen-00000001")));
        site.send("POST", "/jobs/%s/release".formatted(job), "");
        TrainingSite.await(
                "the end", () -> site.job(job).path("state").asString().equals("DONE"));

        assertThat(site.job(job).path("doneSamples").asDouble()).isEqualTo(TrainingSite.SAMPLES);
        assertThat(site.job(job).path("warnings")).isEmpty();
        assertThat(Files.getOwner(saved).getName()).isEqualTo(USER);
        assertThat(Files.getPosixFilePermissions(saved.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(site.get("/jobs/%s/logs".formatted(job)).toString()).contains("samples");
    }

    @Test
    void aJobOfATenantWithoutAUserFailsWithTheRemedy() throws Exception {
        site.send("PUT", "/tenants/unknown", "{\"parent\": \"root\"}", "If-None-Match", "*");
        String job = site.scriptOf("unknown", "echo started");
        TrainingSite.await(
                "the failure", () -> site.job(job).path("state").asString().equals("FAILED"));

        assertThat(site.get("/jobs/%s/events".formatted(job)).toString())
                .contains("create the user spur-unknown or spur-jobs, or state one by --user");
    }
}

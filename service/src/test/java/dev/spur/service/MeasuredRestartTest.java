package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real training under a service and two agents. Its owner states restarts of 1 s. */
@Tag("training")
class MeasuredRestartTest {
    @TempDir
    private Path folder;

    @Test
    void twoMovesReplaceTheStatementOfTheOwner() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        TrainingSite site = new TrainingSite(folder);
        try {
            site.startAgent("left");
            site.startAgent("right");
            String job = site.submit("a job", "--milliseconds=20", "--save-every=1");
            awaitSteps(site, job);
            assertThat(restart(site, job).path("message").asString()).isEqualTo("A restart costs about 1 s (stated).");

            move(site, job, 1);
            move(site, job, 2);

            JsonNode restart = restart(site, job);
            assertThat(restart.path("origin").asString()).isEqualTo("MEASURED");
            assertThat(restart.path("seconds").asDouble()).isBetween(0.1, 60.0).isNotEqualTo(1);
            assertThat(site.get("/jobs/%s/explanation".formatted(job))
                            .at("/stalls/0/message")
                            .asString())
                    .contains("(measured, 2 changes)");
            move(site, job, 3);
            assertThat(site.get("/plans/current")
                            .at("/running/0/restartPenaltySeconds")
                            .asDouble())
                    .as("in the plan of the third move")
                    .isEqualTo(restart.path("seconds").asDouble());
        } finally {
            site.end();
        }
    }

    private static JsonNode restart(TrainingSite site, String job) throws Exception {
        return site.job(job).at("/stalls/0");
    }

    /** Waits until the service knows the times of two steps of the generation. */
    private static void awaitSteps(TrainingSite site, String job) throws Exception {
        site.awaitProgress(job);
        site.awaitProgress(job);
    }

    private static void move(TrainingSite site, String job, int measured) throws Exception {
        String node = site.node(job);
        assertThat(site.send("POST", "/nodes/%s/drain".formatted(node), "").statusCode())
                .isEqualTo(200);
        TrainingSite.await(
                "measurement %d of a restart".formatted(measured),
                () -> restart(site, job).path("changes").asInt() == measured);
        awaitSteps(site, job);
        site.send("POST", "/nodes/%s/activate".formatted(node), "");
    }
}

package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real training under a service and two agents. Its owner states restarts of 600 s; the measured ones take seconds. */
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
            String job = site.submit("a job", "--milliseconds=100", "--save-every=1");
            assertThat(site.send(
                                    "PATCH",
                                    "/jobs/" + job,
                                    "{\"spec\": {\"restartPenaltySeconds\": 600}}",
                                    "If-Match",
                                    "*",
                                    "Content-Type",
                                    "application/merge-patch+json")
                            .statusCode())
                    .isEqualTo(200);
            awaitSteps(site, job);
            assertThat(restart(site, job).path("origin").asString()).isEqualTo("STATED");

            move(site, job, 1);
            move(site, job, 2);

            JsonNode restart = restart(site, job);
            assertThat(restart.path("origin").asString()).isEqualTo("MEASURED");
            assertThat(restart.path("seconds").asDouble()).isBetween(0.1, 60.0);
            assertThat(site.get("/jobs/%s/explanation".formatted(job))
                            .at("/stalls/0/message")
                            .asString())
                    .contains("(measured, 2 changes)");
            TrainingSite.await(
                    "a plan with the measured stall",
                    () -> Math.abs(planned(site)
                                    - restart(site, job).path("seconds").asDouble())
                            < 1e-9);
        } finally {
            site.end();
        }
    }

    private static double planned(TrainingSite site) throws Exception {
        return site.get("/plans/current").at("/running/0/restartPenaltySeconds").asDouble();
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

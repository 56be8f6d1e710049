package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two real agents, one of which is told that its device is not healthy while a job trains on it. */
@Tag("training")
class UnhealthyDeviceTest {
    @TempDir
    private Path folder;

    private TrainingSite site;

    @BeforeEach
    void twoNodesWhoseHealthIsStated() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        site = new TrainingSite(folder);
        for (String node : List.of("left", "right")) {
            site.startAgent(node, "--device-health=" + folder.resolve(node + ".health"));
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (site != null) {
            site.end();
        }
    }

    @Test
    void isLeftByItsJobWhichGoesOnElsewhere() throws Exception {
        String job = site.submit("on a device that fails", "--milliseconds=3", "--save-every=10");
        site.awaitProgress(job);
        String node = site.node(job);

        Files.writeString(folder.resolve(node + ".health"), node + "/0 uncorrected errors\n");
        TrainingSite.await(
                "another node",
                () -> !site.node(job).isEmpty() && !site.node(job).equals(node));
        site.awaitAllItsWork(job);

        assertThat(site.get("/executors/" + node).at("/quarantined/0/uuid").asString())
                .isEqualTo(node + "/0");
        Files.delete(folder.resolve(node + ".health"));
        TrainingSite.await(
                "the report that it is well",
                () -> site.get("/executors/" + node)
                        .at("/quarantined/0/healthy")
                        .asBoolean());
    }
}

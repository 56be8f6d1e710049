package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.testing.SlurmCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A real Slurm under a real service: what people submit to Slurm is planned here and runs there as planned. */
@Tag("platform")
class SlurmServiceTest extends PlatformServiceTest {
    private static SlurmCluster cluster;

    @BeforeAll
    static void startSlurm() throws Exception {
        Optional<String> missing = SlurmCluster.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing.orElse(""));
        cluster = SlurmCluster.start();
    }

    @AfterAll
    static void stopSlurm() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void awaitItsNodes() throws Exception {
        eventually(() -> count("connector_node") == 3);
    }

    @AfterEach
    void clear() throws Exception {
        cluster.clear();
    }

    @Override
    void pass() {}

    @Override
    PlatformConnection connection() {
        SlurmProperties slurm = new SlurmProperties(
                cluster.url().toString(),
                "slurm",
                "slurm",
                "",
                "scontrol",
                cluster.conf().toString(),
                List.of("gpu", "cpu"),
                "root",
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                Duration.ofHours(24));
        return slurm.connections().get(0);
    }

    @Test
    void itsNodesBecomeNodesOfPoolsAndItsJobsJobs() throws Exception {
        String held = cluster.submit("--hold", "--gpus-per-node=2", "--comment=spur");
        String later = cluster.submit("--hold", "--gpus-per-node=2", "--begin=now+1hour", "--comment=spur");
        String foreign = cluster.submit("--hold", "--gpus-per-node=2", "--nodelist=gpu1", "--comment=spur");
        eventually(() -> jobs().size() == 1 && connector().path("rejected").size() == 2);

        JsonNode node = api.get("/api/v1/nodes/gpu1").is(200).json();
        assertThat(node.path("pool").asString()).isEqualTo("gpu");
        assertThat(node.path("acceleratorType").asString()).isEqualTo("h200");
        assertThat(node.path("devices").size()).isEqualTo(8);
        assertThat(api.get("/api/v1/nodes/cpu1").is(200).json().path("cpus").asDouble())
                .isEqualTo(16);
        assertThat(jobs().get(0).path("externalId").asString()).isEqualTo("slurm/" + held);
        assertThat(connector().at("/rejected/0/job").asString()).isEqualTo(later);
        assertThat(connector().at("/rejected/0/reason").asString()).contains("it begins at ");
        assertThat(connector().at("/rejected/1/job").asString()).isEqualTo(foreign);
        assertThat(connector().at("/rejected/1/reason").asString()).contains("nodes by name");
    }

    @Test
    void aPlanRunsThereAndWhatEndsThereEndsHere() throws Exception {
        controlLevel("RESIZE");
        String first = cluster.submit("--hold", "--gpus-per-node=8", "--comment=spur");
        String second = cluster.submit("--hold", "--nodes=1", "--gpus=4", "--comment=spur");
        eventually(() -> jobs().size() == 2);

        rounds.run();
        eventually(() ->
                slurm(first, "%T").equals("RUNNING") && slurm(second, "%T").equals("RUNNING"));
        eventually(() -> connector().at("/actions/open").isEmpty());
        assertThat(connector().at("/syncReport/inSync").asBoolean()).isTrue();
        assertThat(connector().at("/syncReport/unmanagedUsage").isEmpty()).isTrue();

        cluster.run("scancel", first);
        eventually(() -> state(first).equals("CANCELLED"));
        assertThat(state(second)).isEqualTo("RUNNING");
    }

    @Test
    void jobsShareScarceCpusByTheirHostLevels() throws Exception {
        controlLevel("RESIZE");
        List<String> submitted = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            submitted.add(cluster.submit(
                    "--hold",
                    "--nodes=1",
                    "--ntasks-per-node=1",
                    "--gpus-per-node=4",
                    "--comment=spur family=vision batch=256 samples=100000000 host-levels=4:8:1+2:8:0.8"));
        }
        eventually(() -> jobs().size() == 3);
        for (JsonNode job : jobs()) {
            api.put("/api/v1/jobs/%s/profile".formatted(job.path("id").asString()), """
                            {"points": [{"acceleratorType": "h200", "slots": 4, "nodes": 1, "batchSize": 256,
                             "samplesPerSecond": 1000}]}""", "If-Match", "*")
                    .is(200);
        }

        rounds.run();

        eventually(() -> submitted.stream().allMatch(job -> slurm(job, "%T").equals("RUNNING")));
        assertThat(submitted).extracting(job -> slurm(job, "%C")).containsExactlyInAnyOrder("16", "8", "8");
        eventually(() -> connector().at("/syncReport/inSync").asBoolean());
    }

    @Test
    void aJobThatIsCalledOffHereEndsThere() throws Exception {
        controlLevel("ADMIT");
        String job = cluster.submit("--hold", "--gpus-per-node=8", "--comment=spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> slurm(job, "%T").equals("RUNNING"));

        api.post("/api/v1/jobs/%s/cancel".formatted(jobs().get(0).path("id").asString()))
                .is(200);

        eventually(() -> slurm(job, "%T").isEmpty());
    }

    @Test
    void whatRunsThereWithoutSpurIsNotPlannedWith() throws Exception {
        controlLevel("ADMIT");
        cluster.submit("--gpus-per-node=6", "--nodelist=gpu1");
        eventually(() -> connector().at("/syncReport/unmanagedUsage/gpu1").asInt() == 6);
        assertThat(api.get("/api/v1/nodes/gpu1").is(200).json().path("devices").size())
                .isEqualTo(2);

        String job = cluster.submit("--hold", "--gpus-per-node=8", "--comment=spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();

        eventually(() -> slurm(job, "%T %N").equals("RUNNING gpu2"));
    }

    @Test
    void aJobThatAPersonReleasesIsFixedLoadUntilItIsHeldAgain() throws Exception {
        controlLevel("ADMIT");
        String blocker = cluster.submit("--nodes=2", "--gpus-per-node=8");
        eventually(() -> connector().at("/syncReport/unmanagedUsage/gpu2").asInt() == 8);
        String job = cluster.submit("--hold", "--gpus-per-node=2", "--comment=spur");
        eventually(() -> mark(job).contains("hold")
                && connector().at("/actions/open").isEmpty()
                && connector().at("/syncReport/pendingChanges").asInt() == 0);

        cluster.runAsUser("scontrol", "release", job);
        eventually(() -> connector().at("/syncReport/manuallyOverridden").has(job));
        assertThat(jobs().get(0).path("held").asBoolean()).isTrue();

        cluster.runAsUser("scontrol", "hold", job);
        eventually(() -> !jobs().get(0).path("held").asBoolean());
        cluster.run("scancel", blocker);
    }

    @Test
    void anotherProcessGoesOnWhereThisOneStopped() throws Exception {
        controlLevel("ADMIT");
        String job = cluster.submit("--hold", "--gpus-per-node=8", "--comment=spur signal=USR1@5");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> connector().at("/syncReport/inSync").asBoolean()
                && slurm(job, "%T").equals("RUNNING"));
        String id = jobs().get(0).path("id").asString();

        api.post("/api/v1/jobs/%s/hold".formatted(id)).is(200);
        eventually(() -> mark(job).contains("hold"));
        stop();
        start();

        eventually(() -> slurm(job, "%T %r").startsWith("PENDING"));
        assertThat(cluster.output(job)).contains("checkpoint");
        assertThat(cluster.run("scontrol", "show", "job", job)).contains("Restarts=1");
    }

    private static String slurm(String job, String format) {
        try {
            return cluster.run(
                            "squeue",
                            "--noheader",
                            "--states=PENDING,RUNNING,COMPLETING",
                            "--jobs=" + job,
                            "--format=" + format)
                    .strip();
        } catch (IOException | InterruptedException gone) {
            return "";
        }
    }

    private static String mark(String job) {
        try {
            return cluster.run("scontrol", "show", "job", job)
                    .lines()
                    .filter(line -> line.contains("AdminComment"))
                    .findFirst()
                    .orElse("");
        } catch (IOException | InterruptedException gone) {
            return "";
        }
    }
}

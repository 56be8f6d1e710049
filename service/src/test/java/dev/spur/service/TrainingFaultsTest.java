package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.FaultInjectionProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What breaks while jobs train: the table of docs/operations/fault-tolerance.md. After each fault the job does all of
 * its work, and at no time does a device have processes of two generations.
 */
@Tag("training")
class TrainingFaultsTest {
    private static final String PACE = "--milliseconds=3";

    @TempDir
    private static Path folder;

    private static TrainingSite site;
    private static DeviceWatch watch;

    @BeforeAll
    static void startEverything() throws Exception {
        assumeTrue(TrainingDemoTest.hasPython(), "python3 is missing, so nothing is trained");
        watch = new DeviceWatch(folder);
        site = new TrainingSite(folder);
        site.startAgent("left");
        site.startAgent("right");
    }

    @AfterAll
    static void endEverything() throws Exception {
        if (site != null) {
            site.end();
            watch.close();
        }
    }

    @AfterEach
    void noDeviceWasHeldByTwoGenerations() {
        assertThat(watch.conflicts()).isEmpty();
        assertThat(watch.looks()).isPositive();
    }

    @Test
    void trainingGoesOnWhenTheAgentIsKilledAndStartedAgain() throws Exception {
        String job = site.submit("agent killed", PACE);
        site.awaitProgress(job);
        String node = site.node(job);
        site.agent(node).kill();
        site.startAgent(node);
        assertThat(site.agent(node).awaitLine("reattached to 1 run")).isNotEmpty();
        tell("agent killed and started again", site.awaitProgress(job));
        site.awaitAllItsWork(job);

        assertThat(site.job(job).path("generation").asLong()).isEqualTo(1);
    }

    @Test
    void aPreparationGoesOnWhenItsAgentIsKilledAndTheJobThatAwaitsItStartsAfterwards() throws Exception {
        Path begun = folder.resolve("begun");
        Path end = folder.resolve("end");
        String data = site.prepare(
                "data",
                "echo once >> %s; until [ -e %s ]; do sleep 0.1; done; test -s $SPUR_LOANS".formatted(begun, end));
        String job = site.submit("on prepared data", List.of(data));
        TrainingSite.await("the preparation", () -> Files.exists(begun));
        String node = site.get("/jobs/" + data).at("/grant/node").asString();
        site.agent(node).kill();
        site.startAgent(node);

        assertThat(site.job(job).path("state").asString()).isEqualTo("SUBMITTED");
        Files.createFile(end);
        TrainingSite.await(
                "the end of the preparation",
                () -> site.get("/jobs/" + data).path("state").asString().equals("DONE"));
        site.awaitAllItsWork(job);

        assertThat(Files.readString(begun)).isEqualTo("once\n");
    }

    @Test
    void theJobGoesOnElsewhereWhenTheAgentIsStoppedForLongerThanItsLease() throws Exception {
        String job = site.submit("agent stopped", "--milliseconds=5");
        site.awaitProgress(job);
        String node = site.node(job);
        TrainingSite.signal("STOP", site.agent(node).pid());
        long began = System.nanoTime();
        TrainingSite.await("another node", () -> {
            String now = site.node(job);
            return !now.isEmpty() && !now.equals(node);
        });
        site.awaitProgress(job);
        tell("agent stopped for longer than its lease", (System.nanoTime() - began) / 1e9);
        TrainingSite.signal("CONT", site.agent(node).pid());
        site.awaitAllItsWork(job);
        TrainingSite.await(
                "the node to come back",
                () -> site.get("/nodes/" + node).path("state").asString().equals("ACTIVE"));

        assertThat(site.job(job).path("generation").asLong()).isGreaterThan(1);
    }

    @Test
    void trainingGoesOnWhenTheServiceIsKilledAndStartedAgain() throws Exception {
        String job = site.submit("service killed", PACE);
        site.awaitProgress(job);
        site.killService();
        site.startService();
        tell("service killed and started again", site.awaitProgress(job));
        site.awaitAllItsWork(job);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agents and the service", "the service and the database"})
    void trainingGoesOnWhenTheNetworkIsCutForLessThanTheLease(String between) throws Exception {
        FaultInjectionProxy wire = between.startsWith("agents") ? site.toService() : site.toDatabase();
        String job = site.submit("cut between " + between, PACE);
        site.awaitProgress(job);
        wire.cut();
        Thread.sleep(2000);
        wire.mend();
        long mended = System.nanoTime();
        TrainingSite.await("progress", () -> site.awaitProgress(job) >= 0);
        tell("network between " + between + " cut for 2 s", (System.nanoTime() - mended) / 1e9);
        site.awaitAllItsWork(job);

        assertThat(site.job(job).path("generation").asLong()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"its node", "every node"})
    void theJobIsFencedAndGoesOnFromItsCheckpointWhenTheNetworkIsCutForLongerThanLeaseAndGrace(String what)
            throws Exception {
        String job = site.submit("cut off: " + what, "--milliseconds=5", "--save-every=10");
        site.awaitProgress(job);
        String node = site.node(job);
        FaultInjectionProxy wire = what.equals("its node") ? site.toService(node) : site.toService();
        wire.cut();
        long began = System.nanoTime();
        TrainingSite.await("the requeue", () -> !site.node(job).equals(node));
        assertThat(DeviceWatch.holders(folder.resolve(node)))
                .as("nobody holds a device any more when the service gives the job up")
                .isEmpty();
        int saved = site.saved(job).path("samples").asInt();
        if (what.equals("every node")) {
            wire.mend();
        }
        site.awaitProgress(job);
        tell("network of %s cut for longer than lease and grace".formatted(what), (System.nanoTime() - began) / 1e9);
        wire.mend();
        site.awaitAllItsWork(job);
        TrainingSite.await(
                "the node to come back",
                () -> site.get("/nodes/" + node).path("state").asString().equals("ACTIVE"));

        assertThat(saved).isPositive();
        assertThat(site.job(job).path("generation").asLong()).isGreaterThan(1);
    }

    @Test
    void aJobThatCrashesGoesOnFromItsLastCheckpoint() throws Exception {
        String job = site.submit("crashes", "--milliseconds=1", "--crash-at=1600", "--save-every=10");
        site.awaitAllItsWork(job);

        assertThat(Files.exists(site.checkpoints(job).resolve("crashed"))).isTrue();
        assertThat(site.job(job).path("generation").asLong()).isGreaterThan(1);
    }

    @Test
    void aJobWhoseCheckpointIsRefusedGoesOnFromTheLastOneThatWasNot() throws Exception {
        String job = site.submit("refused", PACE, "--save-every=10");
        site.awaitProgress(job);
        Path later = site.checkpoints(job).resolve("gen-99999999");
        TrainingSite.await(
                "a checkpoint", () -> Files.exists(site.checkpoints(job).resolve("gen-00000001/state.json")));
        Files.createDirectory(later);
        int saved = site.saved(job).path("samples").asInt();
        TrainingSite.await(
                "the failure",
                () -> site.job(job).path("generation").asLong() > 1
                        || site.node(job).isEmpty());
        Files.delete(later);
        site.awaitAllItsWork(job);

        assertThat(saved).isPositive();
    }

    /** Times depend on the machine, so they are told and not judged. */
    private static void tell(String fault, double seconds) {
        System.out.printf("%s: progress again after %.1f s%n", fault, seconds);
    }
}

package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMeddler;
import dev.spur.connectors.testing.KubernetesMock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job in a queue of Kueue is started, moved and held, while the engine crashes at one write or the other. */
class KueueCrashTest {
    private static final int LOOKS = 60;

    private static KubernetesMock mock;

    private final InMemoryActionLog log = new InMemoryActionLog(ControlLevel.RESIZE);
    private int writes;

    @BeforeAll
    static void start() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stop() {
        mock.close();
    }

    /** Crashes at one write, before it goes out or after it has come through. */
    private KubernetesClient crashing(int at, boolean after) {
        return KubernetesMeddler.client(mock.client(), (method, path, body, passing) -> {
            if (method.equals("GET") || ++writes != at) {
                return passing.on(body);
            }
            if (after) {
                passing.on(body);
            }
            throw new PlatformReconcilerTest.Crash();
        });
    }

    @ParameterizedTest
    @CsvSource({"1,false", "2,true", "3,false", "3,true", "4,true", "5,false", "6,true", "7,false"})
    void noStartIsLostOrDoubled(int at, boolean after) throws Exception {
        mock.clear();
        KubernetesCluster cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
        cluster.controllers().kueue().install("spur.dev/plan", 16);
        KubernetesFixture stage = new KubernetesFixture(cluster, crashing(at, after), "pytorchjob");
        String job = cluster.queuedJob(4, "spur");
        stage.pass();

        converge(stage, 1, job, new DesiredJob.Run(JobPlacement.of(Map.of("gpu1", 4))));
        converge(stage, 2, job, new DesiredJob.Run(JobPlacement.of(Map.of("gpu2", 4))));
        converge(stage, 3, job, new DesiredJob.Wait());

        assertThat(writes).isGreaterThanOrEqualTo(at);
        assertThat(cluster.controllers().starts(KubernetesCluster.name(job))).isEqualTo(2);
    }

    private void converge(KubernetesFixture stage, long revision, String job, DesiredJob want) throws Exception {
        DesiredState desired = new DesiredState(revision, Map.of(job, want));
        for (int look = 0; look < LOOKS; look++) {
            try {
                PlatformReconciler engine =
                        new PlatformReconciler(stage.platform(), log, Limits.DEFAULT, stage.clock());
                PlatformObservation seen = engine.look();
                if (engine.reconcile(seen, desired).inSync()
                        && log.open().isEmpty()
                        && shows(seen.job(job).orElseThrow(), want)) {
                    return;
                }
            } catch (PlatformReconcilerTest.Crash cut) {
                // another engine goes on
            }
            stage.pass();
        }
        throw new AssertionError("it has not come about: %s".formatted(log.open()));
    }

    private static boolean shows(PlatformJob job, DesiredJob want) {
        return want instanceof DesiredJob.Run run
                ? job.state() == State.RUNNING && job.held().equals(run.placement())
                : job.state() == State.HELD && job.held().isNowhere();
    }
}

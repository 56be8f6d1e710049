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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random plans for jobs of Kubernetes, while the engine crashes before or after one write after the other. */
class KubernetesChaosTest {
    private static final int JOBS = 5;
    private static final int PLANS = 4;
    private static final int LOOKS = 600;

    private static KubernetesMock mock;

    private final InMemoryActionLog log = new InMemoryActionLog(ControlLevel.RESIZE);
    private final Crashes crashes = new Crashes();
    private KubernetesCluster cluster;
    private KubernetesFixture stage;

    @BeforeAll
    static void start() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stop() {
        mock.close();
    }

    /** Cuts the power at one write, before it goes out or after it has come through, and at another one later. */
    private static final class Crashes {
        private Random random = new Random(0);
        private int until = Integer.MAX_VALUE;

        KubernetesClient in(KubernetesClient client) {
            return KubernetesMeddler.client(client, (method, path, body, passing) -> {
                if (method.equals("GET") || --until > 0) {
                    return passing.on(body);
                }
                until = 1 + random.nextInt(5);
                if (random.nextBoolean()) {
                    passing.on(body);
                }
                throw new PlatformReconcilerTest.Crash();
            });
        }

        void begin(Random source) {
            random = source;
            until = 1;
        }

        void end() {
            until = Integer.MAX_VALUE;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void losesAndDoublesNothing(long seed) throws Exception {
        losesAndDoublesNothing("pytorchjob", seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void losesAndDoublesNoVolcanoJob(long seed) throws Exception {
        losesAndDoublesNothing("vcjob", seed);
    }

    private void losesAndDoublesNothing(String kind, long seed) throws Exception {
        Random random = new Random(seed);
        List<String> jobs = begin(kind, random);
        for (int revision = 1; revision <= PLANS; revision++) {
            DesiredState desired = new DesiredState(revision, PlatformReconcilerTest.randomPlan(random, jobs));
            Map<String, Integer> starts = starts(jobs);
            Map<String, JobPlacement> held = held(jobs);
            crashes.begin(random);
            converge(desired);
            crashes.end();
            for (String job : jobs) {
                check(job, desired.wants().get(job), starts.get(job), held.get(job));
            }
        }
    }

    private List<String> begin(String kind, Random random) {
        mock.clear();
        cluster = KubernetesCluster.over(mock);
        cluster.nodes(4);
        stage = new KubernetesFixture(cluster, crashes.in(mock.client()), kind);
        List<String> jobs = new ArrayList<>();
        for (int n = 0; n < JOBS; n++) {
            jobs.add(stage.submit(1, 1 + random.nextInt(8), true, "spur"));
        }
        return jobs;
    }

    private PlatformObservation look() throws Exception {
        return new PlatformReconciler(stage.platform(), log, Limits.DEFAULT, stage.clock()).look();
    }

    private void converge(DesiredState desired) throws Exception {
        for (int look = 0; look < LOOKS; look++) {
            try {
                PlatformReconciler engine =
                        new PlatformReconciler(stage.platform(), log, Limits.DEFAULT, stage.clock());
                if (engine.reconcile(engine.look(), desired).inSync()
                        && log.open().isEmpty()) {
                    return;
                }
            } catch (PlatformReconcilerTest.Crash cut) {
                // another engine goes on
            }
            stage.pass();
        }
        throw new AssertionError("it has not come about: %s".formatted(log.open()));
    }

    private void check(String job, DesiredJob want, int startsBefore, JobPlacement heldBefore) throws Exception {
        PlatformJob now = look().job(job).orElseThrow();
        int starts = cluster.controllers().starts(KubernetesCluster.name(job)) - startsBefore;
        if (want instanceof DesiredJob.Run run) {
            assertThat(now.state()).isEqualTo(State.RUNNING);
            assertThat(now.held()).isEqualTo(run.placement());
            assertThat(starts)
                    .as("starts of a job that was %s", heldBefore)
                    .isEqualTo(heldBefore.equals(run.placement()) ? 0 : 1);
        } else {
            assertThat(now.state()).isEqualTo(State.HELD);
            assertThat(now.held()).isEqualTo(JobPlacement.NONE);
            assertThat(starts).isZero();
        }
    }

    private Map<String, Integer> starts(List<String> jobs) {
        Map<String, Integer> starts = new LinkedHashMap<>();
        jobs.forEach(job -> starts.put(job, cluster.controllers().starts(KubernetesCluster.name(job))));
        return starts;
    }

    private Map<String, JobPlacement> held(List<String> jobs) throws Exception {
        PlatformObservation seen = look();
        Map<String, JobPlacement> held = new LinkedHashMap<>();
        jobs.forEach(job -> held.put(job, seen.job(job).orElseThrow().held()));
        return held;
    }
}

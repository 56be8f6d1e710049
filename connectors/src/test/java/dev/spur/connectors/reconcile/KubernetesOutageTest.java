package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Nodes that fall silent, and jobs whose pods cannot start or end. */
class KubernetesOutageTest {
    private static final JobPlacement FIRST = JobPlacement.of(Map.of("gpu1", 4));
    private static final JobPlacement SECOND = JobPlacement.of(Map.of("gpu2", 4));

    private static KubernetesMock mock;

    private final InMemoryActionLog log = new InMemoryActionLog(ControlLevel.RESIZE);
    private KubernetesCluster cluster;
    private KubernetesFixture stage;
    private PlatformObservation seen;
    private ReconcileReport report;

    @BeforeAll
    static void start() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stop() {
        mock.close();
    }

    @BeforeEach
    void begin() {
        mock.clear();
        cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
        stage = new KubernetesFixture(cluster, mock.client(), "job");
    }

    private void pass(long revision, String job, DesiredJob want, int looks) throws Exception {
        for (int look = 0; look < looks; look++) {
            PlatformReconciler engine = new PlatformReconciler(stage.platform(), log, Limits.DEFAULT, stage.clock());
            seen = engine.look();
            report = engine.reconcile(seen, new DesiredState(revision, Map.of(job, want)));
            stage.pass();
        }
    }

    private String running() throws Exception {
        String job = stage.submit(1, 4, true, "spur");
        pass(1, job, new DesiredJob.Run(FIRST), 10);
        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        assertThat(log.open()).isEmpty();
        return job;
    }

    private PlatformJob look(String job) {
        return seen.job(job).orElseThrow();
    }

    private PlatformNode node(String name) {
        return seen.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void silence(String... nodes) {
        for (String node : nodes) {
            cluster.silence(node, stage.clock().instant());
        }
    }

    @Nested
    class ASilentNode {
        @Test
        void getsNothingNewAndIsLostOnlyAfterATime() throws Exception {
            String job = running();
            silence("gpu1");

            pass(1, job, new DesiredJob.Run(FIRST), 55);
            assertThat(node("gpu1").condition()).isEqualTo(Condition.CLOSED);
            assertThat(node("gpu1").notes()).singleElement().asString().contains("has not reported since", "stay");
            assertThat(look(job).state()).isEqualTo(State.RUNNING);

            pass(1, job, new DesiredJob.Run(FIRST), 10);
            assertThat(node("gpu1").condition()).isEqualTo(Condition.LOST);
            assertThat(node("gpu1").notes()).singleElement().asString().contains("planned on other nodes");
        }

        @Test
        void isOpenAgainWhenItReports() throws Exception {
            String job = running();
            silence("gpu1");
            pass(1, job, new DesiredJob.Run(FIRST), 5);

            cluster.report("gpu1", stage.clock().instant());
            pass(1, job, new DesiredJob.Run(FIRST), 1);

            assertThat(node("gpu1").condition()).isEqualTo(Condition.OPEN);
            assertThat(node("gpu1").notes()).isEmpty();
        }

        @Test
        void isNotLostWhileMostNodesAreSilent() throws Exception {
            String job = running();
            silence("gpu1", "gpu2");

            pass(1, job, new DesiredJob.Run(FIRST), 100);

            assertThat(seen.nodes()).filteredOn(node -> node.slots() > 0).allSatisfy(node -> {
                assertThat(node.condition()).isEqualTo(Condition.CLOSED);
                assertThat(node.notes()).singleElement().asString().contains("like most nodes (2 of 3)");
            });
        }
    }

    @Nested
    class AJobOnALostNode {
        private String job;

        @BeforeEach
        void lose() throws Exception {
            job = running();
            silence("gpu1");
            pass(1, job, new DesiredJob.Run(FIRST), 65);
            pass(2, job, new DesiredJob.Run(SECOND), 30);
        }

        @Test
        void isGivenUpWithTheNamesOfItsPodsAndTheRemedyAndWithoutAFailure() {
            assertThat(log.lastOf(job).orElseThrow()).satisfies(last -> {
                assertThat(last.state()).isEqualTo(ActionRecord.State.FAILED);
                assertThat(last.detail())
                        .contains("ml/job1-0", "kubectl delete node gpu1", "node.kubernetes.io/out-of-service");
            });
            assertThat(node("gpu1").notes()).singleElement().asString().contains("ml/job1-0", "kubectl delete node");
            assertThat(log.status().failures()).isZero();
            assertThat(log.status().controlLevel()).isEqualTo(ControlLevel.RESIZE);
        }

        @Test
        void doesNotRunTwiceHoweverLongItsPodsStay() throws Exception {
            for (int revision = 3; revision <= 6; revision++) {
                pass(revision, job, new DesiredJob.Run(SECOND), 40);
            }

            assertThat(look(job).state()).isEqualTo(State.STOPPING);
            assertThat(cluster.controllers().starts("job1")).isEqualTo(1);
            assertThat(log.open()).isEmpty();
            assertThat(log.status().failures()).isZero();
        }

        @Test
        void returnsWhenTheNodeIsDeleted() throws Exception {
            cluster.api().delete("/api/v1/nodes/gpu1");

            pass(3, job, new DesiredJob.Run(SECOND), 20);

            assertThat(look(job).state()).isEqualTo(State.RUNNING);
            assertThat(look(job).held()).isEqualTo(SECOND);
        }

        @Test
        void returnsWhenTheNodeReports() throws Exception {
            cluster.report("gpu1", stage.clock().instant());

            pass(3, job, new DesiredJob.Run(SECOND), 20);

            assertThat(look(job).held()).isEqualTo(SECOND);
        }

        @Test
        void thatIsToWaitWaitsOnWithoutAFailure() throws Exception {
            pass(3, job, new DesiredJob.Wait(), 100);

            assertThat(log.status().failures()).isZero();
            assertThat(look(job).state()).isEqualTo(State.STOPPING);
        }
    }

    @Nested
    class AJobThatDoesNotStart {
        private void assertIsGivenUp(String job, String... cause) throws Exception {
            assertThat(log.lastOf(job).orElseThrow()).satisfies(last -> {
                assertThat(last.state()).isEqualTo(ActionRecord.State.FAILED);
                assertThat(last.detail()).contains(cause);
            });
            assertThat(log.status().failures()).isZero();

            pass(9, job, new DesiredJob.Wait(), 10);

            assertThat(look(job).state()).isEqualTo(State.HELD);
            assertThat(log.open()).isEmpty();
            assertThat(report.inSync()).isTrue();
        }

        @Test
        void forAQuotaIsGivenUpWithTheEvent() throws Exception {
            cluster.controllers().quota(2);
            String job = stage.submit(1, 4, true, "spur");

            pass(1, job, new DesiredJob.Run(FIRST), 40);

            assertIsGivenUp(job, "FailedCreate", "exceeded quota");
        }

        @Test
        void withoutAControllerIsGivenUp() throws Exception {
            cluster.controllers().absent(true);
            String job = stage.submit(1, 4, true, "spur");

            pass(1, job, new DesiredJob.Run(FIRST), 40);

            assertIsGivenUp(job, "check that the controller");
        }

        @Test
        void forCpusIsGivenUpWithTheWordsOfTheScheduler() throws Exception {
            cluster.foreignPod("web", "gpu1", "15");
            String job = stage.submit(1, 4, true, "spur");
            cluster.change(job, object -> {
                object.withObject("/spec/template/spec/containers/0/resources/requests")
                        .put("cpu", "2");
                return object;
            });

            pass(1, job, new DesiredJob.Run(FIRST), 40);

            assertIsGivenUp(job, "is not scheduled", "nodes are available");
        }

        @Test
        void afterADrainIsGivenUp() throws Exception {
            String job = running();
            cluster.drain("gpu1");

            pass(1, job, new DesiredJob.Run(FIRST), 40);

            assertIsGivenUp(job, "is not scheduled");
        }
    }

    @Nested
    class CpusOfOtherPods {
        @Test
        void areNotPlannedAndThoseOfPlannedPodsAre() throws Exception {
            cluster.foreignPod("web", "gpu1", "2.5");
            String job = stage.submit(1, 4, true, "spur");
            cluster.change(job, object -> {
                object.withObject("/spec/template/spec/containers/0/resources/requests")
                        .put("cpu", "1");
                return object;
            });

            pass(1, job, new DesiredJob.Run(FIRST), 10);

            assertThat(look(job).held()).isEqualTo(FIRST);
            assertThat(node("gpu1").cpus()).isEqualTo(13);
            assertThat(node("gpu2").cpus()).isEqualTo(16);
        }
    }

    @Nested
    class AManifestThatIsAppliedAgain {
        @Test
        void stopsItsJobOnlyForAMoment() throws Exception {
            String job = running();
            cluster.applyAgain(job);

            pass(1, job, new DesiredJob.Run(FIRST), 15);

            assertThat(report.manuallyOverridden()).isEmpty();
            assertThat(look(job).state()).isEqualTo(State.RUNNING);
            assertThat(look(job).held()).isEqualTo(FIRST);
            assertThat(cluster.controllers().starts("job1")).isEqualTo(2);
        }

        @Test
        void isNoDecisionOfItsOwnerAsASuspensionByHandIs() throws Exception {
            String job = running();
            cluster.suspend(job, true);

            pass(1, job, new DesiredJob.Run(FIRST), 15);

            assertThat(report.manuallyOverridden()).containsKey(job);
            assertThat(look(job).state()).isEqualTo(State.HELD);
        }
    }
}

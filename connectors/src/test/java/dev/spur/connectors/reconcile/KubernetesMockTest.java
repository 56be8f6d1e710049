package dev.spur.connectors.reconcile;

import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on a mock of an API server. */
class KubernetesMockTest {
    private static KubernetesMock mock;

    @BeforeAll
    static void start() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stop() {
        mock.close();
    }

    private static PlatformFixture stage(String kind) {
        mock.clear();
        KubernetesCluster cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
        return new KubernetesFixture(cluster, mock.client(), kind);
    }

    @Nested
    class OnBatchJobs extends KubernetesContractTest {
        @Override
        PlatformFixture open() {
            return stage("job");
        }
    }

    @Nested
    class OnPyTorchJobs extends KubernetesContractTest {
        @Override
        PlatformFixture open() {
            return stage("pytorchjob");
        }
    }

    @Nested
    class OnVolcanoJobs extends KubernetesContractTest {
        @Override
        PlatformFixture open() {
            return stage("vcjob");
        }
    }
}

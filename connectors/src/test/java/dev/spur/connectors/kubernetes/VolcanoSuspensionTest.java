package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMeddler;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Volcano Jobs: pods behind a gate, and Commands that are carried out at most once. */
class VolcanoSuspensionTest extends MockApiServerFixture {
    private static final String PODS = "/api/v1/namespaces/ml/pods";
    private static final String COMMANDS = "/apis/bus.volcano.sh/v1alpha1/namespaces/ml/commands";
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 1, "gpu2", 2));

    private String gated() {
        String job = cluster.volcanoJob(3, true, "spur");
        cluster.controllers().step();
        return job;
    }

    private String running() throws Exception {
        String job = gated();
        apply(Kind.START, job, THERE);
        enforce(mock.client(), job);
        cluster.controllers().step();
        assertThat(look(job).held()).isEqualTo(THERE);
        return job;
    }

    private ObjectNode pod(String job, String name) {
        return cluster.api()
                .get(PODS + "/" + KubernetesCluster.name(job) + "-" + name)
                .orElseThrow();
    }

    @Test
    void eachPodIsTiedToItsNodeWhenItsGateIsTakenOff() throws Exception {
        String job = running();

        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        assertThat(pod(job, "ps-0").at("/spec/schedulingGates")).isEmpty();
        assertThat(pod(job, "ps-0").at("/spec/nodeSelector").isMissingNode()).isTrue();
    }

    @Test
    void podsOfAJobThatIsToWaitStayGated() throws Exception {
        String job = gated();
        apply(Kind.HOLD, job, JobPlacement.NONE);

        assertThat(enforce(mock.client(), job)).isEmpty();
        assertThat(pod(job, "worker-0").at("/spec/schedulingGates")).hasSize(1);
        assertThat(look(job).state()).isEqualTo(State.HELD);
    }

    @Test
    void aRecreatedPodWaitsForSpurAndReturnsToItsNode() throws Exception {
        String job = running();
        cluster.api().delete(PODS + "/" + KubernetesCluster.name(job) + "-worker-1");
        cluster.controllers().step();
        cluster.controllers().step();
        assertThat(look(job).state()).isEqualTo(State.WAITING);
        assertThat(look(job).matches(look(job).mark().orElseThrow())).isTrue();

        enforce(mock.client(), job);
        cluster.controllers().step();

        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        assertThat(look(job).held()).isEqualTo(THERE);
    }

    @Test
    void gatesOfOthersStay() throws Exception {
        String job = gated();
        ObjectNode pod = pod(job, "worker-0");
        pod.withObject("/spec").withArray("/schedulingGates").addObject().put("name", "else/where");
        cluster.api().put(PODS + "/" + pod.at("/metadata/name").asString(), pod);
        apply(Kind.START, job, THERE);

        enforce(mock.client(), job);

        assertThat(pod(job, "worker-0").at("/spec/schedulingGates").toString())
                .isEqualTo("[{\"name\":\"else/where\"}]");
    }

    @Test
    void aPodThatIsSaidToBeLetGoAndIsNotIsFoundOut() throws Exception {
        String job = gated();
        apply(Kind.START, job, THERE);

        List<String> failures = enforce(
                KubernetesMeddler.client(
                        mock.client(), (method, path, body, passing) -> method.equals("PUT") ? body : passing.on(body)),
                job);

        assertThat(failures).hasSize(4).allMatch(why -> why.contains("was released but is still gated"));
    }

    @Test
    void podsThatAPersonLetGoElsewhereAreNotWhatTheMarkSays() throws Exception {
        String job = gated();
        apply(Kind.START, job, THERE);
        ObjectNode pod = pod(job, "worker-0");
        pod.withObject("/spec").remove("schedulingGates");
        cluster.api().put(PODS + "/" + pod.at("/metadata/name").asString(), pod);

        assertThat(look(job).matches(look(job).mark().orElseThrow())).isFalse();
    }

    @Test
    void aCommandIsGivenOnce() throws Exception {
        String job = running();

        apply(Kind.STOP, job, JobPlacement.NONE);
        assertThat(apply(Kind.STOP, job, JobPlacement.NONE)).isInstanceOf(StepOutcome.Accepted.class);

        assertThat(cluster.api().list(COMMANDS)).singleElement().satisfies(command -> {
            assertThat(command.path("action").asString()).isEqualTo("AbortJob");
            assertThat(command.at("/target/uid").asString())
                    .isEqualTo(cluster.object(job).at("/metadata/uid").asString());
        });
    }

    @Test
    void nothingIsCommandedBeforeVolcanoHasTakenTheOpposite() throws Exception {
        String job = running();
        cluster.suspend(job, true);
        cluster.controllers().step();
        cluster.controllers().step();
        cluster.controllers().step();
        assertThat(look(job).state()).isEqualTo(State.HELD);
        String uid = cluster.object(job).at("/metadata/uid").asString();
        cluster.api()
                .create(
                        COMMANDS,
                        Map.of(
                                "apiVersion",
                                "bus.volcano.sh/v1alpha1",
                                "kind",
                                "Command",
                                "metadata",
                                Map.of("name", "spur-%s-abortjob".formatted(uid), "namespace", "ml")));

        assertThat(apply(Kind.START, job, THERE)).isInstanceOf(StepOutcome.NoResponse.class);
    }

    @Test
    void aJobWithoutRetriesIsNotStopped() throws Exception {
        String job = running();
        cluster.change(job, object -> {
            object.withObject("/spec").put("maxRetry", 3);
            object.withObject("/status").put("retryCount", 2);
            return object;
        });
        String before = cluster.object(job).toString();

        assertThat(apply(Kind.STOP, job, JobPlacement.NONE))
                .isInstanceOfSatisfying(
                        StepOutcome.Rejected.class,
                        no -> assertThat(no.detail()).contains("maxRetry"));
        assertThat(cluster.object(job)).hasToString(before);
        assertThat(cluster.api().list(COMMANDS)).isEmpty();
    }

    @Test
    void aJobWithOneRetryLeftIsResumed() throws Exception {
        String job = running();
        cluster.change(job, object -> {
            object.withObject("/spec").put("maxRetry", 3);
            object.withObject("/status").put("retryCount", 1);
            return object;
        });

        apply(Kind.STOP, job, JobPlacement.NONE);
        for (int step = 0; step < 4; step++) {
            cluster.controllers().step();
        }
        apply(Kind.START, job, THERE);
        for (int step = 0; step < 4; step++) {
            cluster.controllers().step();
            enforce(mock.client(), job);
        }

        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        assertThat(cluster.object(job).at("/status/retryCount").asInt()).isEqualTo(2);
    }
}

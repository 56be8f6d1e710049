package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesMeddler;
import dev.spur.connectors.testing.KubernetesMeddler.Meddling;
import dev.spur.connectors.testing.KueueController;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Jobs in a queue of Kueue that has a check of Spur. */
class AdmissionsTest extends MockApiServerFixture {
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu2", 4));

    private KueueController kueue;

    @BeforeEach
    void install() {
        kueue = cluster.controllers().kueue();
        kueue.install(Kueue.CONTROLLER, 16);
    }

    /** Time passes, and Spur looks. */
    private void pass(String... jobs) throws Exception {
        for (int step = 0; step < 8; step++) {
            cluster.controllers().step();
            for (String job : jobs) {
                enforce(mock.client(), job);
            }
        }
    }

    private String queued(String words) throws Exception {
        String job = cluster.queuedJob(4, words);
        pass();
        return job;
    }

    private String running() throws Exception {
        String job = queued("spur");
        apply(Kind.START, job, THERE);
        pass(job);
        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        return job;
    }

    @Test
    void aJobWaitsForItsCheckUntilThePlanWantsItToRunAndRunsThere() throws Exception {
        String job = queued("spur");
        pass(job);
        assertThat(look(job).state()).isEqualTo(State.HELD);
        assertThat(look(job).isOffered()).isTrue();

        assertThat(apply(Kind.START, job, THERE)).isInstanceOf(StepOutcome.Accepted.class);
        assertThat(look(job).matches(look(job).mark().orElseThrow())).isTrue();
        pass(job);

        assertThat(look(job).state()).isEqualTo(State.RUNNING);
        assertThat(look(job).held()).isEqualTo(THERE);
        assertThat(kueue.workload(job).at("/status/admissionChecks/0/message").asString())
                .isEqualTo("revision 1: node gpu2");
    }

    @Test
    void aJobReadsTheBatchThatItsCheckCarries() throws Exception {
        String job = queued("spur elastic-batch");
        pass(job);

        apply(Kind.START, job, THERE.withBatch(512));
        pass(job);

        assertThat(look(job).held()).isEqualTo(THERE.withBatch(512));
        assertThat(cluster.batch(job)).isEqualTo("512");
    }

    @Test
    void aJobWhoseOwnerSetsTheBatchInItsTemplateIsLeftOutBecauseKueueOnlyAdds() throws Exception {
        String job = queued("spur elastic-batch");

        cluster.change(job, object -> {
            object.at("/spec/pytorchReplicaSpecs")
                    .forEach(role -> ((ObjectNode) role)
                            .withObject("/template/metadata/annotations")
                            .put(BatchAnnotation.NAME, "64"));
            return object;
        });

        assertThat(look(job).unsupportedReason().orElseThrow()).contains("which Kueue does not change: remove it");
    }

    @Test
    void aJobThatRunsIsEvictedByItsCheckAndComesBackElsewhere() throws Exception {
        String job = running();

        apply(Kind.STOP, job, JobPlacement.NONE);
        assertThat(kueue.workload(job).at("/status/admissionChecks/0/state").asString())
                .isEqualTo("Retry");
        pass(job);
        assertThat(look(job).state()).isEqualTo(State.HELD);
        assertThat(look(job).held()).isEqualTo(JobPlacement.NONE);

        apply(Kind.START, job, JobPlacement.of(Map.of("gpu1", 4)));
        pass(job);
        assertThat(look(job).held()).isEqualTo(JobPlacement.of(Map.of("gpu1", 4)));
    }

    @Test
    void withoutQuotaItWaitsAndWithoutSpurAsWell() throws Exception {
        kueue.quota(0);
        String job = queued("spur");
        enforce(mock.client(), job);
        apply(Kind.START, job, THERE);
        pass(job);
        assertThat(look(job).state()).isEqualTo(State.WAITING);
        assertThat(look(job).pinned()).isEqualTo(THERE);

        kueue.quota(16);
        pass();
        assertThat(look(job).state()).isEqualTo(State.WAITING);
        assertThat(look(job).held()).isEqualTo(JobPlacement.NONE);
        pass(job);
        assertThat(look(job).held()).isEqualTo(THERE);
        pass();
        assertThat(look(job).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aJobThatKueuePreemptsIsStillSpursAndComesBack() throws Exception {
        String job = running();

        kueue.preempt(job);
        cluster.controllers().step();
        assertThat(look(job).matches(look(job).mark().orElseThrow())).isTrue();
        pass(job);

        assertThat(look(job).held()).isEqualTo(THERE);
        assertThat(cluster.controllers().starts("job1")).isEqualTo(2);
    }

    @Test
    void theCheckOfAJobThatIsBeingEvictedIsNotPassed() throws Exception {
        String job = queued("spur");
        enforce(mock.client(), job);
        pass();
        apply(Kind.START, job, THERE);
        kueue.preempt(job);

        enforce(mock.client(), job);

        assertThat(kueue.workload(job).at("/status/admissionChecks/0/state").asString())
                .isEqualTo("Pending");
    }

    @Test
    void aJobThatIsToWaitSinceItWasSeenIsNotLetGo() throws Exception {
        String job = queued("spur");
        enforce(mock.client(), job);
        pass();
        apply(Kind.START, job, THERE);
        PlatformJob stale = look(job);
        apply(Kind.HOLD, job, JobPlacement.NONE);

        assertThat(through(mock.client()).enforce(List.of(stale))).isEmpty();
        assertThat(kueue.workload(job).at("/status/admissionChecks/0/state").asString())
                .isEqualTo("Pending");
    }

    @Test
    void aJobThatAPersonTakesOutOfTheQueueIsNotWhatTheMarkSays() throws Exception {
        kueue.quota(0);
        String job = queued("spur");
        apply(Kind.START, job, THERE);
        cluster.change(KueueController.WORKLOADS + "/job1", Map.of("active", false));

        assertThat(look(job).matches(look(job).mark().orElseThrow())).isFalse();
    }

    @Test
    void anOlderKueueIsAskedByItsOwnVersion() throws Exception {
        String job = queued("spur");
        KubernetesClient older = KubernetesMeddler.older(mock.client(), "/v1beta2/", "/v1beta1/");

        apply(older, Kind.START, job, THERE);
        for (int step = 0; step < 8; step++) {
            cluster.controllers().step();
            enforce(older, job);
        }

        assertThat(look(job).held()).isEqualTo(THERE);
    }

    @Test
    void severalNodesAndOtherSizesAreRefused() throws Exception {
        String job = queued("spur");

        assertThat(apply(Kind.START, job, JobPlacement.of(Map.of("gpu1", 2, "gpu2", 2))))
                .isInstanceOf(StepOutcome.Rejected.class);
        assertThat(apply(Kind.START, job, JobPlacement.of(Map.of("gpu1", 8)))).isInstanceOf(StepOutcome.Rejected.class);
        assertThat(look(job).mark()).isEmpty();
        assertThat(look(queued("spur gpus=2-8")).unsupportedReason().orElseThrow())
                .contains("gpus must be 4");
    }

    @Test
    void aJobTooLargeForANodeIsLeftOut() throws Exception {
        String job = cluster.queuedJob(16, "spur");
        pass();

        assertThat(look(job).unsupportedReason().orElseThrow()).contains("single node");
    }

    @Test
    void aQueueWhoseCheckIsNotSpursIsKueuesAlone() throws Exception {
        String job = queued("spur");
        cluster.change(KueueController.CHECKS + "/plan", Map.of("controllerName", "somebody.else/check"));

        assertThat(look(job).unsupportedReason().orElseThrow()).contains("Kueue");
        assertThat(enforce(mock.client(), job)).isEmpty();
    }

    @Test
    void theLeastOfTheTimeLimitsOfItsKindAndOfKueueCounts() throws Exception {
        String job = queued("spur");
        assertThat(look(job).secondsLimit()).isEmpty();

        cluster.change(job, object -> {
            object.withObject("/metadata/labels").put("kueue.x-k8s.io/max-exec-time-seconds", "7200");
            return object;
        });
        assertThat(look(job).secondsLimit()).contains(7200.0);
        cluster.change(job, object -> {
            object.withObject("/spec/runPolicy").put("activeDeadlineSeconds", 600);
            return object;
        });

        assertThat(look(job).secondsLimit()).contains(600.0);
    }

    @Test
    void checksOfOthersAreNotTouched() throws Exception {
        String job = queued("spur");
        enforce(mock.client(), job);
        pass();
        var workload = kueue.workload(job);
        workload.withObject("/status")
                .withArray("/admissionChecks")
                .addObject()
                .put("name", "provisioning")
                .put("state", "Pending");
        cluster.api().put(KueueController.WORKLOADS + "/job1/status", workload);
        apply(Kind.START, job, THERE);

        enforce(mock.client(), job);

        assertThat(kueue.workload(job).at("/status/admissionChecks/0/state").asString())
                .isEqualTo("Ready");
        assertThat(kueue.workload(job).at("/status/admissionChecks/1/state").asString())
                .isEqualTo("Pending");
    }

    @Test
    void aCheckThatIsSaidToBePassedOrTakenBackAndIsNotIsFoundOut() throws Exception {
        Meddling lies = (method, path, body, passing) ->
                method.equals("PUT") && path.contains("/workloads/") ? body : passing.on(body);
        String running = running();
        assertThat(apply(KubernetesMeddler.client(mock.client(), lies), Kind.STOP, running, JobPlacement.NONE))
                .isInstanceOf(StepOutcome.Unchanged.class);

        String waiting = queued("spur");
        apply(Kind.START, waiting, THERE);
        List<String> failures = enforce(KubernetesMeddler.client(mock.client(), lies), waiting);

        assertThat(failures).singleElement().asString().contains("but is not Ready");
    }
}

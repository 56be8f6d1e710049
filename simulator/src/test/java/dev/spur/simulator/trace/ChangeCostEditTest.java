package dev.spur.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.simulator.testing.Traces;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangeCostEditTest {
    private static final JobSpec SPEC = Traces.request("a", 1, 3600)
            .spec()
            .edit()
            .restartPenaltySeconds(60)
            .changeCosts(new ChangeCosts(2.0, 50.0, null))
            .build();

    private static TraceJob job() {
        return new TraceJob(
                "a", 0, "root", null, 1, 3600, new SpecGroundTruth(SPEC, 20, 30), PolicyViewModel.complete(SPEC));
    }

    private static Trace trace() {
        return new Trace("test", List.of(job()), Map.of());
    }

    private static ChangeCosts seen(Trace trace) {
        return trace.jobs().get(0).viewModel().after(RunHistory.NONE).spec().changeCosts();
    }

    @Test
    void runningJobsStallForAShareOfTheirRestartPenalty() {
        Trace edited = ChangeCostEdit.whileRunning(trace(), 0.1, 0.5);

        assertThat(seen(edited)).isEqualTo(new ChangeCosts(2.0, 6.0, 30.0));
        GroundTruth truth = edited.jobs().get(0).truth();
        assertThat(truth.startSeconds(true)).isEqualTo(20);
        assertThat(truth.startSeconds(false)).isEqualTo(30);
        assertThat(truth.stallSeconds(ChangeMechanism.RESCALE)).isEmpty();
    }

    @Test
    void aMissingShareKeepsWhatTheTraceStates() {
        assertThat(seen(ChangeCostEdit.whileRunning(trace(), null, 0.5))).isEqualTo(new ChangeCosts(2.0, 50.0, 30.0));
        assertThat(seen(ChangeCostEdit.whileRunning(trace(), 0.1, null))).isEqualTo(new ChangeCosts(2.0, 6.0, null));
    }

    @Test
    void freeChangesCostNoTimeExceptTheFirstStart() {
        TraceJob free = ChangeCostEdit.free(trace()).jobs().get(0);

        assertThat(free.truth().startSeconds(true)).isEqualTo(20);
        assertThat(free.truth().startSeconds(false)).isZero();
        JobSpec spec = free.viewModel().after(RunHistory.NONE).spec();
        assertThat(spec.restartPenaltySeconds()).isZero();
        assertThat(spec.changeCosts()).isEqualTo(new ChangeCosts(0.0, null, null));
        assertThat(free.viewModel().after(new RunHistory(10, List.of())).spec()).isSameAs(spec);
    }
}

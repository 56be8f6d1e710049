package dev.spur.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job of 600 samples does 1 a second on one slot and 1.5 on two. */
class EfficiencyTest {
    private static JobOutcome on(int slots, double startSeconds) {
        JobFixture request = JobFixture.job("a").slots(1, 2).speeds(1, 1.5).work(600);
        TraceJob job = new TraceJob(
                "a",
                0,
                "root",
                null,
                1,
                600,
                new SpecGroundTruth(request.spec(), startSeconds, 0),
                PolicyViewModel.complete(request.spec()));
        return Replayer.replay(
                        Traces.trace(job),
                        Traces.cluster(1, 2),
                        new On(slots),
                        ReplaySettings.DEFAULT,
                        ProgressListener.NONE)
                .jobs()
                .get(0);
    }

    /** Gives the job so many slots of the first node. */
    private static final class On extends FifoTestPolicy {
        private final int slots;

        On(int slots) {
            super(true);
            this.slots = slots;
        }

        @Override
        public Decision decide(RoundProblem problem) {
            Job job = problem.jobs().get(0);
            Node node = problem.nodes().get(0);
            Allocation allocation = on(
                    node, node.devices().subList(0, slots), job.spec().batch().initial(), problem.now());
            return Decision.of(
                    problem, Map.of("a", job.allocation() == null ? allocation : job.allocation()), problem.memory());
        }
    }

    @Test
    void isOneOnTheFewestSlots() {
        JobOutcome outcome = on(1, 0);

        assertThat(outcome.slotSeconds()).isCloseTo(600, within(1e-6));
        assertThat(outcome.usefulSlotSeconds()).isCloseTo(600, within(1e-6));
    }

    @Test
    void losesWhatFurtherSlotsDoNotGive() {
        JobOutcome outcome = on(2, 0);

        assertThat(outcome.slotSeconds()).isCloseTo(800, within(1e-6));
        assertThat(outcome.usefulSlotSeconds()).isCloseTo(600, within(1e-6));
    }

    @Test
    void losesWhatStartsTake() {
        JobOutcome outcome = on(1, 200);

        assertThat(outcome.slotSeconds()).isCloseTo(800, within(1e-6));
        assertThat(outcome.usefulSlotSeconds()).isCloseTo(600, within(1e-6));
    }
}

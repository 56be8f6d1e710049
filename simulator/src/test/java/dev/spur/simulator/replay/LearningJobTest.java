package dev.spur.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that run otherwise once they know more. */
class LearningJobTest {
    /** Does 100 samples, one a second until it has learned from a run, and two from then on. */
    private record Learner(double samplesPerSecond) implements GroundTruth {
        @Override
        public ProgressRate progressRate(Configuration configuration, double doneSamples) {
            return new ProgressRate(samplesPerSecond, 100, true);
        }

        @Override
        public GroundTruth after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
            return pastConfigurations.isEmpty() ? this : FAST;
        }

        @Override
        public double startSeconds(boolean first) {
            return 0;
        }
    }

    private static final Learner SLOW = new Learner(1);
    private static final Learner FAST = new Learner(2);

    private static JobOutcome outcome(ReplaySettings settings) {
        return Replayer.replay(
                        Traces.trace(Traces.job("learner", 0, 1, 100, SLOW)),
                        Traces.cluster(1, 1),
                        PolicyRegistry.policy("2d-las").orElseThrow(),
                        settings,
                        ProgressListener.NONE)
                .jobs()
                .get(0);
    }

    @Test
    void aJobGoesOnByWhatItHasLearntFromTheNextRoundOn() {
        // 10 samples in the first 10 s, and the other 90 in 45 s.
        assertThat(outcome(ReplaySettings.DEFAULT.withRounds(10, null)).end()).isEqualTo(55);
        // 60 samples in the first 60 s, and the other 40 in 20 s.
        assertThat(outcome(ReplaySettings.DEFAULT.withRounds(60, null)).end()).isEqualTo(80);
    }

    @Test
    void whatWasSavedBeforeAndAfterItLearntIsKept() {
        Configuration heldConfiguration =
                new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, 1, 0);
        JobRun run = new JobRun(SLOW, heldConfiguration, 0, 0);
        run.learn(FAST, 10);

        assertThat(run.savedBy(12, 5)).isEqualTo(10);
        assertThat(run.savedBy(16, 5)).isEqualTo(20);
        assertThat(run.savedBy(9, 5)).isEqualTo(5);
        assertThat(run.end()).isEqualTo(55);
    }
}

package dev.spur.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.job.JobSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class EstimatedWorkTest {
    private static final JobSpec TRUTH = JobFixture.job("a").work(100).spec();

    @Test
    void remainingWorkFollowsFromTheEstimate() {
        assertThat(remaining(2, 0)).isEqualTo(200);
        assertThat(remaining(2, 30)).isEqualTo(170);
        assertThat(remaining(0.5, 30)).isEqualTo(20);
    }

    @Test
    void aJobBeyondItsEstimateIsExpectedToDoANinthMore() {
        assertThat(remaining(0.5, 45)).isCloseTo(5, within(1e-9));
        assertThat(remaining(0.5, 90)).isCloseTo(10, within(1e-9));
    }

    @Test
    void theSpecificationStatesTheEstimate() {
        JobSpec seen = EstimatedWork.of(TRUTH, 3).after(RunHistory.NONE).spec();

        assertThat(seen.totalSamples()).isEqualTo(300);
        assertThat(seen.work().estimated()).isTrue();
        assertThat(seen.profile()).isSameAs(TRUTH.profile());
    }

    @Test
    void anEstimateIsMarkedAsOne() {
        assertThatThrownBy(() -> new EstimatedWork(TRUTH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be marked as an estimate");
    }

    private static double remaining(double factor, double done) {
        return EstimatedWork.of(TRUTH, factor)
                .after(new RunHistory(done, List.of()))
                .remainingSamples();
    }
}

package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import org.junit.jupiter.api.Test;

class RiskAttitudeTest {
    @Test
    void jobsArePlannedWithTheMedian() {
        assertThat(RiskAttitude.of(DeadlineStatus.NONE, false)).isEqualTo(RiskAttitude.EVEN);
        assertThat(RiskAttitude.of(DeadlineStatus.PENDING, false)).isEqualTo(RiskAttitude.EVEN);
        assertThat(RiskAttitude.of(DeadlineStatus.AT_RISK, true)).isEqualTo(RiskAttitude.EVEN);
    }

    @Test
    void aJobWhoseReportsContradictItsProfileExploresUnlessItHasADeadline() {
        assertThat(RiskAttitude.of(DeadlineStatus.NONE, true)).isEqualTo(RiskAttitude.OPTIMISTIC);
        assertThat(RiskAttitude.of(DeadlineStatus.PENDING, true)).isEqualTo(RiskAttitude.EVEN);
    }

    @Test
    void aGuaranteeIsPlannedWithTheLowerLimit() {
        assertThat(RiskAttitude.of(DeadlineStatus.GUARANTEED, false)).isEqualTo(RiskAttitude.CAUTIOUS);
        assertThat(RiskAttitude.of(DeadlineStatus.GUARANTEED, true)).isEqualTo(RiskAttitude.CAUTIOUS);
    }
}

package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import org.junit.jupiter.api.Test;

class RiskAttitudeTest {
    @Test
    void jobsArePlannedWithTheMedian() {
        assertThat(RiskAttitude.of(DeadlineStatus.NONE)).isEqualTo(RiskAttitude.EVEN);
        assertThat(RiskAttitude.of(DeadlineStatus.PENDING)).isEqualTo(RiskAttitude.EVEN);
        assertThat(RiskAttitude.of(DeadlineStatus.AT_RISK)).isEqualTo(RiskAttitude.EVEN);
    }

    @Test
    void aGuaranteeIsPlannedWithTheLowerLimit() {
        assertThat(RiskAttitude.of(DeadlineStatus.GUARANTEED)).isEqualTo(RiskAttitude.CAUTIOUS);
    }
}

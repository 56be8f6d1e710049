package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredictedProfileTest {
    private static final Prediction MEASURED = prediction(1, 674, 640, 710);
    private static final Prediction WIDE = prediction(2, 1134, 600, 2100);

    @Test
    void moreSlotsAreNotSlowerOnlyBecauseTheirIntervalIsWider() {
        assertThat(planned(RiskAttitude.EVEN, 1)).isEqualTo(674);
        assertThat(planned(RiskAttitude.EVEN, 2)).isEqualTo(1134);
        assertThat(planned(RiskAttitude.CAUTIOUS, 1)).isEqualTo(640);
        assertThat(planned(RiskAttitude.CAUTIOUS, 2)).isEqualTo(640);
    }

    @Test
    void moreSlotsWithALowerMedianKeepTheirLimit() {
        PredictedProfile profile = new PredictedProfile(List.of(MEASURED, prediction(2, 500, 300, 600)));

        assertThat(profile.profile(RiskAttitude.CAUTIOUS).throughput("A", SyncStrategy.ALL_REDUCE, 2, 1, 0, 64))
                .isEqualTo(300);
    }

    private static double planned(RiskAttitude attitude, int slots) {
        return new PredictedProfile(List.of(MEASURED, WIDE))
                .profile(attitude)
                .throughput("A", SyncStrategy.ALL_REDUCE, slots, 1, 0, 64);
    }

    private static Prediction prediction(int slots, double median, double low, double high) {
        return new Prediction(ProfilePoint.allReduce("A", slots, 1, 64, median), low, high, Origin.FITTED, "pollux");
    }
}

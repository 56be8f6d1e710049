package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepShape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that was measured in many shapes and then changes is learned again from where it runs, after five minutes. */
class ChangedJobTest {
    private static final BatchLimits BATCH = new BatchLimits(32, 32, 8192, 256, Map.of(), true);

    private static double seconds(int slots) {
        return 0.05 + 0.01 * Math.log(slots);
    }

    /**
     * After five reports each on 1, 2, 4 and 8 slots, and {@code more} on 4 in which every step takes {@code factor}
     * times as long.
     */
    private static JobPredictor predictor(int more, double factor) {
        LearnedSpeed learned = LearnedSpeed.NOTHING;
        for (int slots = 1; slots <= 8; slots *= 2) {
            for (int i = 0; i < 5; i++) {
                learned = observe(learned, slots, 1);
            }
        }
        for (int i = 0; i < more; i++) {
            learned = observe(learned, 4, factor);
        }
        return new JobPredictor(
                new PredictionInput(null, new ThroughputProfile(List.of(), List.of()), learned.observations(), BATCH),
                Families.NONE);
    }

    private static LearnedSpeed observe(LearnedSpeed learned, int slots, double factor) {
        StepShape shape = StepShape.allReduce(slots, 1, 32);
        return learned.observe(new SpeedReport("A", shape, seconds(slots) * factor, 1000, 1), seconds(slots))
                .learned();
    }

    private static double predicted(JobPredictor predictor, int slots) {
        int batch = 32 * slots;
        return batch
                / predictor
                        .predict(ProfilePoint.allReduce("A", slots, 1, batch, 0), 0.8)
                        .point()
                        .samplesPerSecond();
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 0.5})
    void isKnownInEveryShapeTwelveReportsLater(double factor) {
        JobPredictor predictor = predictor(12, factor);

        for (int slots = 1; slots <= 8; slots *= 2) {
            double now = factor * seconds(slots);
            assertThat(predicted(predictor, slots)).as("on %s slots", slots).isCloseTo(now, within(0.3 * now));
        }
    }

    @Test
    void whatWasMeasuredStandsWhileItGoesOnAsItWas() {
        JobPredictor predictor = predictor(12, 1.03);

        assertThat(predicted(predictor, 1)).isCloseTo(seconds(1), within(0.03 * seconds(1)));
        assertThat(predicted(predictor, 8)).isCloseTo(seconds(8), within(0.03 * seconds(8)));
    }
}

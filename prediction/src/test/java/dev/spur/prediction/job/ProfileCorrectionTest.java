package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A profile that is wrong by a factor of 2 in one dimension is right again after five reports, wherever it may be
 * asked.
 */
class ProfileCorrectionTest {
    private static final BatchLimits BATCH = new BatchLimits(32, 32, 8192, 256, Map.of(), true);
    private static final int[] SLOTS = {1, 2, 4, 8, 16};
    private static final int[] BATCHES = {32, 64, 128};

    @Nested
    class WrongByAFactorOfTwo {

        @Test
        void onOneType() {
            heals(
                    allReduce(),
                    point -> point.acceleratorType().equals("A"),
                    shape("A", 4, 64),
                    shape("B", 4, 64),
                    shape("A", 8, 64),
                    shape("A", 2, 128),
                    shape("B", 8, 32));
        }

        @Test
        void onManySlots() {
            heals(
                    allReduce(),
                    point -> point.slots() >= 4,
                    shape("A", 8, 64),
                    shape("A", 2, 64),
                    shape("A", 4, 128),
                    shape("B", 16, 64),
                    shape("B", 1, 32));
        }

        @Test
        void atLargeBatches() {
            heals(
                    allReduce(),
                    point -> point.batchSize() / point.slots() >= 64,
                    shape("A", 4, 64),
                    shape("A", 4, 32),
                    shape("A", 8, 128),
                    shape("B", 2, 64),
                    shape("A", 16, 32));
        }

        @Test
        void withFewAggregationSlots() {
            heals(
                    servers(),
                    point -> point.aggregationSlots() <= 2,
                    served(4, 1),
                    served(4, 4),
                    served(8, 2),
                    served(8, 8),
                    served(2, 1));
        }

        @Test
        void everywhere() {
            heals(
                    allReduce(),
                    point -> true,
                    shape("A", 4, 64),
                    shape("A", 4, 64),
                    shape("B", 8, 64),
                    shape("A", 1, 32),
                    shape("A", 8, 128));
        }
    }

    @Test
    void aProfileThatHoldsIsLeftAlone() {
        ThroughputProfile profile = allReduce();
        JobPredictor predictor =
                predictor(profile, List.of(shape("A", 4, 64), shape("B", 8, 32), shape("A", 1, 128)), point -> false);

        for (ProfilePoint point : profile.points()) {
            assertThat(predictor.predict(point, 0.8).point()).isEqualTo(point);
        }
    }

    private static void heals(ThroughputProfile truth, Predicate<ProfilePoint> wrong, ProfilePoint... reported) {
        JobPredictor predictor = predictor(truth, List.of(reported), wrong);

        double[] errors = truth.points().stream()
                .mapToDouble(point -> Math.abs(
                        predictor.predict(point, 0.8).point().samplesPerSecond() / point.samplesPerSecond() - 1))
                .sorted()
                .toArray();
        assertThat(errors[errors.length / 2])
                .as("median of %s", Arrays.toString(errors))
                .isLessThan(0.1);
        assertThat(errors[errors.length * 9 / 10])
                .as("p90 of %s", Arrays.toString(errors))
                .isLessThan(0.3);
    }

    /** The predictor of a job whose profile is twice too fast wherever {@code wrong} says so, after true reports. */
    private static JobPredictor predictor(
            ThroughputProfile truth, List<ProfilePoint> reported, Predicate<ProfilePoint> wrong) {
        List<ProfilePoint> stated = new ArrayList<>();
        for (ProfilePoint point : truth.points()) {
            stated.add(with(point, point.samplesPerSecond() * (wrong.test(point) ? 2 : 1)));
        }
        LearnedSpeed learned = LearnedSpeed.NOTHING;
        for (ProfilePoint point : reported) {
            StepShape shape = shapeOf(point);
            double seconds = 1 / rate(point);
            learned = learned.observe(new SpeedReport(point.acceleratorType(), shape, seconds, 100, 1), seconds)
                    .learned();
        }
        return new JobPredictor(
                new PredictionInput(null, new ThroughputProfile(stated, List.of()), learned.observations(), BATCH),
                Families.NONE);
    }

    private static ThroughputProfile allReduce() {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : List.of("A", "B")) {
            for (int slots : SLOTS) {
                for (int batch : BATCHES) {
                    points.add(shape(type, slots, batch));
                }
            }
        }
        return new ThroughputProfile(
                points.stream().map(ProfileCorrectionTest::measured).toList(), List.of());
    }

    private static ThroughputProfile servers() {
        List<ProfilePoint> points = new ArrayList<>();
        for (int slots : SLOTS) {
            for (double aggregation : new double[] {1, 2, 4, 8}) {
                points.add(served(slots, aggregation));
            }
        }
        return new ThroughputProfile(
                points.stream().map(ProfileCorrectionTest::measured).toList(), List.of());
    }

    private static ProfilePoint shape(String type, int slots, int perSlot) {
        return new ProfilePoint(type, slots, (slots + 3) / 4, slots * perSlot, SyncStrategy.ALL_REDUCE, 0, 0);
    }

    private static ProfilePoint served(int slots, double aggregation) {
        return new ProfilePoint("A", slots, (slots + 3) / 4, slots * 32, SyncStrategy.PARAMETER_SERVER, aggregation, 0);
    }

    private static ProfilePoint measured(ProfilePoint point) {
        return with(point, rate(point) * point.batchSize());
    }

    private static ProfilePoint with(ProfilePoint point, double samplesPerSecond) {
        return new ProfilePoint(
                point.acceleratorType(),
                point.slots(),
                point.nodes(),
                point.batchSize(),
                point.strategy(),
                point.aggregationSlots(),
                samplesPerSecond);
    }

    private static StepShape shapeOf(ProfilePoint point) {
        return StepShape.ofBatch(point.slots(), point.nodes(), point.batchSize(), 0, point.aggregationSlots());
    }

    /** True steps per second: B is three times as fast as A. */
    private static double rate(ProfilePoint point) {
        double pass = 0.05 + 0.004 * point.batchSize() / point.slots();
        double sync = point.aggregationSlots() > 0
                ? 0.1 * point.slots() / point.aggregationSlots() + 0.02
                : point.slots() == 1 ? 0 : 0.05 + 0.1 * (point.nodes() - 1);
        return (point.acceleratorType().equals("B") ? 3 : 1) / (pass + sync);
    }
}

package dev.spur.prediction.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.StepTimeModel;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JobPredictorTest {
    private static final StepTimeModel TRUE = new StepTimeModel(0.08, 0.004, 0.3, 0.02, 0.06, 0.005, 2.2);
    private static final BatchLimits BATCH = new BatchLimits(64, 64, 4096, 256, Map.of(), true);
    private static final ThroughputProfile NOTHING = new ThroughputProfile(List.of(), List.of());
    private static final PredictionGrid GRID = new PredictionGrid(
            List.of(new TypeOffer("A", 4, 16), new TypeOffer("B", 8, 32)),
            Elasticity.between(1, 16),
            BATCH,
            Synchronization.allReduceOnly());

    @Nested
    class WhereFiguresComeFrom {

        @Test
        void aStatedPointKeepsItsFigure() {
            JobPredictor predictor = predictor(null, stated("A", 1), Families.NONE);

            Prediction prediction = predictor.predict(point("A", 2, 1, 128), 0.8);

            assertThat(prediction.origin()).isEqualTo(Origin.MEASURED);
            assertThat(prediction.point()).isEqualTo(stated("A", 1).points().get(1));
        }

        @Test
        void otherShapesOfTheTypeAreFitted() {
            Prediction prediction =
                    predictor(null, stated("A", 1), Families.NONE).predict(point("A", 8, 2, 1024), 0.8);

            assertThat(prediction.origin()).isEqualTo(Origin.FITTED);
            assertThat(prediction.low()).isLessThan(prediction.point().samplesPerSecond());
            assertThat(prediction.point().samplesPerSecond() / speed(8, 2, 1024, 1))
                    .isBetween(0.8, 1.25);
        }

        @Test
        void aTypeOfTheFamilyIsAdjustedToTheJob() {
            Families families = new Families(List.of(family("net", "A", 1).learn(steps("B", 0.5))));

            Prediction prediction = predictor("net", stated("A", 1.5), families).predict(point("B", 4, 1, 256), 0.8);

            assertThat(prediction.origin()).isEqualTo(Origin.FAMILY);
            assertThat(prediction.point().samplesPerSecond() / speed(4, 1, 256, 0.75))
                    .isBetween(0.85, 1.15);
        }

        @Test
        void aTypeThatTheFamilyNeverSawIsTakenFromOtherFamilies() {
            Families families = new Families(List.of(family("other", "A", 3).learn(steps("B", 1.5))));

            Prediction prediction = predictor("net", stated("A", 1), families).predict(point("B", 4, 1, 256), 0.8);

            assertThat(prediction.origin()).isEqualTo(Origin.RATIO);
            assertThat(prediction.point().samplesPerSecond() / speed(4, 1, 256, 0.5))
                    .isBetween(0.8, 1.25);
        }

        @Test
        void slotsAreAtMostTwiceThoseThatWereMeasured() {
            assertThat(slots(reported(1, 2))).containsExactly(1, 2, 4);
            assertThat(slots(reported(1))).containsExactly(1, 2);
        }

        @Test
        void aGridWithoutTwiceTheSlotsHasTheNextLargerNumber() {
            PredictionGrid grid = new PredictionGrid(
                    GRID.offers(),
                    new Elasticity(List.of(), List.of(), 1, 16, false, List.of(1, 6, 16), null, false),
                    BATCH,
                    Synchronization.allReduceOnly());

            assertThat(slots(grid, reported(1))).containsExactly(1, 6);
        }

        /** A job of which only steps were reported scales sublinearly by the prior of the formulas. */
        @Test
        void anUnmeasuredDoublingGainsLessThanTwofoldAndMoreThanNothing() {
            PredictedProfile predicted = new JobPredictor(
                            new PredictionInput(null, NOTHING, reported(1), BATCH), Families.NONE)
                    .profile(GRID, 0.8);

            double one = predicted
                    .profile(Prediction.RiskAttitude.EVEN)
                    .throughput("A", SyncStrategy.ALL_REDUCE, 1, 1, 0, 64);
            double two = predicted
                    .profile(Prediction.RiskAttitude.EVEN)
                    .throughput("A", SyncStrategy.ALL_REDUCE, 2, 1, 0, 128);
            assertThat(two / one).isBetween(1.2, 2.0);
            assertThat(predicted.hasNoData()).isFalse();
        }

        private static List<TypedObservation> reported(int... counts) {
            return IntStream.of(counts)
                    .mapToObj(slots -> TypedObservation.of(
                            ProfilePoint.allReduce("A", slots, 1, 64 * slots, speed(slots, 1, 64 * slots, 1)), 0))
                    .toList();
        }

        private static Set<Integer> slots(List<TypedObservation> observations) {
            return slots(GRID, observations);
        }

        private static Set<Integer> slots(PredictionGrid grid, List<TypedObservation> observations) {
            return new JobPredictor(new PredictionInput(null, NOTHING, observations, BATCH), Families.NONE)
                    .profile(grid, 0.8).predictions().stream()
                            .map(prediction -> prediction.point().slots())
                            .collect(Collectors.toCollection(TreeSet::new));
        }

        @Test
        void aJobOfWhichNothingIsKnownGetsItsSmallestShapeAlone() {
            PredictedProfile profile = predictor(null, NOTHING, Families.NONE).profile(GRID, 0.8);

            assertThat(profile.predictions())
                    .isNotEmpty()
                    .allMatch(p -> p.origin() == Origin.ASSUMED && p.point().slots() == 1);
            assertThat(profile.hasNoData()).isTrue();
            assertThat(profile.profile(Prediction.RiskAttitude.EVEN).isAssumed())
                    .isTrue();
        }
    }

    @Test
    void aProfileHasEveryTypeThatIsKnownAndAscendingBands() {
        PredictedProfile predicted =
                predictor(null, stated("A", 1), Families.NONE).profile(GRID, 0.8);

        assertThat(predicted.profile(Prediction.RiskAttitude.EVEN).acceleratorTypes())
                .containsExactly("A");
        assertThat(predicted.predictions()).allMatch(p -> p.low() <= p.high());
        assertThat(predicted.predictions().stream().map(Prediction::point).map(ProfilePoint::slots))
                .contains(1, 2, 4, 8, 16);
    }

    private static JobPredictor predictor(
            @org.jspecify.annotations.Nullable String family, ThroughputProfile statedProfile, Families families) {
        return new JobPredictor(new PredictionInput(family, statedProfile, List.of(), BATCH), families);
    }

    private static ThroughputProfile stated(String type, double slower) {
        return ThroughputProfile.of(IntStream.of(1, 2, 4, 16)
                .mapToObj(slots -> ProfilePoint.allReduce(
                        type, slots, nodes(slots), 64 * slots, speed(slots, nodes(slots), 64 * slots, slower)))
                .toArray(ProfilePoint[]::new));
    }

    private static FamilySpeeds family(String name, String type, double slower) {
        return FamilySpeeds.unknown(name).learn(steps(type, slower));
    }

    private static List<TypedObservation> steps(String type, double slower) {
        return stated(type, slower).points().stream()
                .map(point -> TypedObservation.of(point, 0))
                .toList();
    }

    private static int nodes(int slots) {
        return (slots + 3) / 4;
    }

    private static ProfilePoint point(String type, int slots, int nodes, int batch) {
        return new ProfilePoint(type, slots, nodes, batch, SyncStrategy.ALL_REDUCE, 0, 0);
    }

    /** Samples per second of a job whose steps take {@code slower} times the true ones. */
    private static double speed(int slots, int nodes, int batch, double slower) {
        return batch / (slower * TRUE.stepSeconds(nodes, slots, (double) batch / slots, 0));
    }
}

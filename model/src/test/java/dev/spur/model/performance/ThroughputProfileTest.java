package dev.spur.model.performance;

import static dev.spur.model.performance.ProfilePoint.allReduce;
import static dev.spur.model.performance.SyncStrategy.ALL_REDUCE;
import static dev.spur.model.performance.SyncStrategy.PARAMETER_SERVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThroughputProfileTest {
    private static ProfilePoint served(int slots, double aggregation, int batch, double speed) {
        return new ProfilePoint("A", slots, 1, batch, PARAMETER_SERVER, aggregation, speed);
    }

    private static double bySlots(ThroughputProfile profile, int slots) {
        return profile.throughput("A", ALL_REDUCE, slots, 1, 0, 64);
    }

    @Nested
    class OverSlots {
        private final ThroughputProfile profile = ThroughputProfile.of(
                allReduce("A", 2, 1, 64, 180), allReduce("A", 4, 1, 64, 300), allReduce("A", 8, 1, 64, 200));

        @ParameterizedTest(name = "{0} slots: {1} samples/s, {2}")
        @CsvSource({
            "2, 180, measured",
            "4, 300, measured",
            "3, 240, the chord",
            "6, 250, the chord down again",
            "8, 200, measured though slower",
            "9, 200, level",
            "100, 200, level",
            "1, 90, proportional"
        })
        void measuredPointsAreMetAndChordsDrawnBetweenThem(int slots, double speed, String why) {
            assertThat(bySlots(profile, slots)).as(why).isCloseTo(speed, within(1e-9));
        }

        @Test
        void oneMeasuredPointIsEnough() {
            ThroughputProfile one = ThroughputProfile.of(allReduce("A", 2, 1, 64, 100));

            assertThat(bySlots(one, 1)).isEqualTo(50);
            assertThat(bySlots(one, 2)).isEqualTo(100);
            assertThat(bySlots(one, 16)).isEqualTo(100);
        }

        @Test
        void superLinearAndZeroPointsAreTakenAsTheyAre() {
            ThroughputProfile odd = ThroughputProfile.of(
                    allReduce("A", 1, 1, 64, 0), allReduce("A", 2, 1, 64, 100), allReduce("A", 4, 1, 64, 500));

            assertThat(bySlots(odd, 1)).isZero();
            assertThat(bySlots(odd, 2)).isEqualTo(100);
            assertThat(bySlots(odd, 3)).isCloseTo(300, within(1e-9));
        }

        @Test
        void aJobRunsEverywhereOnATypeIfNoPointThereIsZero() {
            ThroughputProfile profile = new ThroughputProfile(
                    List.of(allReduce("A", 1, 1, 64, 10), allReduce("B", 1, 1, 64, 10), allReduce("B", 2, 1, 64, 0)),
                    List.of(new TypeRatio("C", "A", 2), new TypeRatio("D", "B", 2)));

            assertThat(profile.runsEverywhere("A", SyncStrategy.ALL_REDUCE)).isTrue();
            assertThat(profile.runsEverywhere("B", SyncStrategy.ALL_REDUCE)).isFalse();
            assertThat(profile.runsEverywhere("C", SyncStrategy.ALL_REDUCE)).isTrue();
            assertThat(profile.runsEverywhere("D", SyncStrategy.ALL_REDUCE)).isFalse();
            assertThat(profile.runsEverywhere("A", SyncStrategy.PARAMETER_SERVER))
                    .isFalse();
        }

        @Test
        void aConfigurationMeasuredTwiceCountsWithTheMean() {
            ThroughputProfile twice = ThroughputProfile.of(
                    allReduce("A", 1, 1, 64, 90), allReduce("A", 1, 1, 64, 110), allReduce("A", 1, 1, 64, 130));

            assertThat(bySlots(twice, 1)).isCloseTo(110, within(1e-9));
        }
    }

    @Nested
    class OverBatchSizes {
        private final ThroughputProfile profile = ThroughputProfile.of(
                allReduce("A", 1, 1, 64, 100), allReduce("A", 1, 1, 256, 160), allReduce("A", 1, 1, 512, 120));

        @ParameterizedTest(name = "batch {0}: {1} samples/s, {2}")
        @CsvSource({
            "64, 100, measured",
            "160, 130, the chord",
            "256, 160, measured",
            "384, 140, the chord down again",
            "4096, 120, level",
            "32, 50, proportional",
            "1, 1.5625, proportional"
        })
        void measuredPointsAreMetAndChordsDrawnBetweenThem(int batch, double speed, String why) {
            assertThat(profile.throughput("A", ALL_REDUCE, 1, 1, 0, batch))
                    .as(why)
                    .isCloseTo(speed, within(1e-9));
        }

        @Test
        void slotsComeFirst() {
            ThroughputProfile both = ThroughputProfile.of(
                    allReduce("A", 1, 1, 64, 100), allReduce("A", 1, 1, 128, 140), allReduce("A", 3, 1, 64, 240));

            assertThat(both.throughput("A", ALL_REDUCE, 2, 1, 0, 96))
                    .as("the mean of 120 on one slot and 240 on three, where more than 64 is level")
                    .isCloseTo((120 + 240) / 2.0, within(1e-9));
        }

        @Test
        void theCurveBendsWhereSomethingWasMeasured() {
            assertThat(profile.curve("A", ALL_REDUCE, 1, 1, 0).breakpoints()).containsExactly(64, 256, 512);
        }
    }

    @Nested
    class OverAggregation {
        private final ThroughputProfile profile =
                ThroughputProfile.of(served(1, 1, 64, 60), served(1, 2, 64, 100), served(1, 4, 64, 110));

        @ParameterizedTest(name = "{0} aggregation slots: {1} samples/s, {2}")
        @CsvSource({
            "1, 60, measured",
            "1.5, 80, the chord",
            "3, 105, the chord",
            "4, 110, measured",
            "8, 110, level",
            "0.5, 30, proportional"
        })
        void measuredPointsAreMetAndChordsDrawnBetweenThem(double aggregation, double speed, String why) {
            assertThat(profile.throughput("A", PARAMETER_SERVER, 1, 1, aggregation, 64))
                    .as(why)
                    .isCloseTo(speed, within(1e-9));
        }

        @Test
        void measuredNumbersAreListedWithoutZero() {
            assertThat(profile.aggregationSlots("A")).containsExactly(1, 2, 4);
            assertThat(ThroughputProfile.of(allReduce("A", 1, 1, 64, 100)).aggregationSlots("A"))
                    .isEmpty();
        }
    }

    @Nested
    class OverNodes {
        private final ThroughputProfile profile = ThroughputProfile.of(
                allReduce("A", 4, 1, 64, 400), allReduce("A", 4, 2, 64, 320), allReduce("A", 8, 2, 64, 600));

        @Test
        void theMeasuredNumberOfNodesSpeaks() {
            assertThat(profile.throughput("A", ALL_REDUCE, 4, 1, 0, 64)).isEqualTo(400);
            assertThat(profile.throughput("A", ALL_REDUCE, 4, 2, 0, 64)).isEqualTo(320);
        }

        @Test
        void otherwiseTheMostSimilarNumberOfSlotsPerNodeDoes() {
            assertThat(profile.throughput("A", ALL_REDUCE, 4, 4, 0, 64)).isEqualTo(320);
            assertThat(profile.throughput("A", ALL_REDUCE, 8, 1, 0, 64))
                    .as("nobody measured one node: two are next")
                    .isEqualTo(600);
            assertThat(profile.throughput("A", ALL_REDUCE, 6, 1, 0, 64))
                    .as("between 4 slots on 1 node and 8 slots on 2")
                    .isEqualTo(500);
            assertThat(profile.throughput("A", ALL_REDUCE, 6, 3, 0, 64))
                    .as("between 4 slots on 2 nodes and 8 slots on 2")
                    .isEqualTo(460);
        }

        @Test
        void ofTwoEquallySimilarNumbersTheGreaterSpeaks() {
            ThroughputProfile gap = ThroughputProfile.of(allReduce("A", 8, 1, 64, 800), allReduce("A", 8, 3, 64, 500));

            assertThat(gap.throughput("A", ALL_REDUCE, 8, 2, 0, 64)).isEqualTo(500);
        }

        @Test
        void measuredNumbersAreListedForExactlyThoseSlots() {
            assertThat(profile.nodeCounts("A", ALL_REDUCE, 4)).containsExactly(1, 2);
            assertThat(profile.nodeCounts("A", ALL_REDUCE, 6)).isEmpty();
            assertThat(profile.nodeCounts("A", PARAMETER_SERVER, 4)).isEmpty();
        }
    }

    @Nested
    class OverTypes {
        private final ThroughputProfile profile = new ThroughputProfile(
                List.of(allReduce("A", 1, 1, 64, 100), allReduce("A", 2, 2, 64, 150)),
                List.of(new TypeRatio("B", "A", 0.4)));

        @Test
        void anUnmeasuredTypeIsKnownOnlyThroughItsRatio() {
            assertThat(profile.throughput("B", ALL_REDUCE, 1, 1, 0, 64)).isEqualTo(40);
            assertThat(profile.throughput("B", ALL_REDUCE, 2, 2, 0, 64)).isEqualTo(60);
            assertThat(profile.nodeCounts("B", ALL_REDUCE, 2)).containsExactly(2);
            assertThat(profile.throughput("C", ALL_REDUCE, 1, 1, 0, 64)).isZero();
            assertThat(profile.acceleratorTypes()).containsExactly("A", "B");
        }

        @Test
        void anUnmeasuredStrategyIsUnknown() {
            assertThat(profile.throughput("A", PARAMETER_SERVER, 1, 1, 1, 64)).isZero();
        }

        @Test
        void ratiosFitThePoints() {
            List<ProfilePoint> points = List.of(allReduce("A", 1, 1, 64, 100));

            assertThatThrownBy(() -> new ThroughputProfile(points, List.of(new TypeRatio("B", "C", 1))))
                    .hasMessageContaining("type C has no measured point");
            assertThatThrownBy(() -> new ThroughputProfile(points, List.of(new TypeRatio("A", "A", 1))))
                    .hasMessageContaining("the type has measured points");
            assertThatThrownBy(() -> new ThroughputProfile(
                            points, List.of(new TypeRatio("B", "A", 1), new TypeRatio("B", "A", 2))))
                    .hasMessageContaining("ratio for B appears twice");
        }
    }

    @Test
    void pointsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> allReduce("A", 0, 1, 64, 1)).hasMessageContaining("slots (0)");
        assertThatThrownBy(() -> allReduce("A", 2, 3, 64, 1)).hasMessageContaining("nodes (3)");
        assertThatThrownBy(() -> allReduce("A", 1, 1, 64, -1)).hasMessageContaining("samplesPerSecond (-1.0)");
        assertThatThrownBy(() -> served(1, 0, 64, 1)).hasMessageContaining("aggregationSlots (0.0)");
    }
}

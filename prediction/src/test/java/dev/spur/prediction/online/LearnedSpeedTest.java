package dev.spur.prediction.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LearnedSpeedTest {
    private static final StepShape SMALL = StepShape.allReduce(2, 1, 32);
    private static final StepShape LARGE = StepShape.allReduce(16, 4, 32);

    /** Windows of 100 s in which steps take twice as long, as many as a detected change takes. */
    private static final double[] TWICE = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

    @Nested
    class Windows {

        @Test
        void oneSlowWindowMovesNothing() {
            LearnedSpeed learned = after(1, 1, 1.01, 5, 0.99);

            assertThat(learned.observations().get(0).observation().stepSeconds())
                    .isBetween(0.98, 1.03);
        }

        @Test
        void theFirstWindowOfAStartGivesWayToTheNext() {
            LearnedSpeed learned = after(3, 1);

            assertThat(learned.observations().get(0).observation().stepSeconds())
                    .isEqualTo(1);
        }

        @Test
        void theFirstWindowOfAStartCountsLittleWhileItIsAlone() {
            assertThat(after(3).observations().get(0).observation().weight()).isLessThan(0.2);
        }

        @Test
        void shapesAreBounded() {
            LearnedSpeed learned = LearnedSpeed.NOTHING;
            for (int slots = 1; slots <= 100; slots++) {
                learned = learned.observe(report("A", StepShape.allReduce(slots, 1, 8), 1), 1.0)
                        .learned();
            }

            assertThat(learned.steps()).hasSize(LearnedSpeed.MAX_STEPS);
            assertThat(learned.steps()).noneMatch(step -> step.shape().slots() == 1);
        }
    }

    @Nested
    class Steps {
        private static LearnedSpeed afterBoth() {
            return after(SMALL, after(LARGE, LearnedSpeed.NOTHING, 2, 2, 2, 2), 1, 1, 1, 1);
        }

        private static LearnedSpeed after(StepShape shape, LearnedSpeed before, double... seconds) {
            LearnedSpeed learned = before;
            for (double one : seconds) {
                learned = learned.observe(report("A", shape, one), shape.equals(SMALL) ? 1.0 : 2.0)
                        .learned();
            }
            return learned;
        }

        private static double weight(LearnedSpeed learned, StepShape shape) {
            return learned.observations().stream()
                    .filter(step -> step.observation().shape().equals(shape))
                    .mapToDouble(step -> step.observation().weight())
                    .sum();
        }

        private static double seconds(LearnedSpeed learned, StepShape shape) {
            return learned.observations().stream()
                    .filter(step -> step.observation().shape().equals(shape))
                    .mapToDouble(step -> step.observation().stepSeconds())
                    .sum();
        }

        @Test
        void countHalfAfterTwoHundredReportsOfOthers() {
            LearnedSpeed learned = afterBoth();
            for (int i = 0; i < 196; i++) {
                learned = after(SMALL, learned, 1);
            }

            assertThat(weight(learned, LARGE)).isEqualTo(0.5, within(0.01));
            assertThat(weight(learned, SMALL)).isGreaterThan(0.99);
        }

        @Test
        void thatAreOldAreReplacedAndNotJoined() {
            LearnedSpeed learned = afterBoth();
            for (int i = 0; i < 200; i++) {
                learned = after(SMALL, learned, 1);
            }

            assertThat(seconds(after(LARGE, learned, 3), LARGE)).isEqualTo(3);
        }

        @Test
        void thatWereMeasuredBeforeAChangeCountLittleAfterIt() {
            LearnedSpeed learned = after(SMALL, afterBoth(), TWICE);

            assertThat(weight(learned, LARGE)).isLessThan(0.02);
            assertThat(weight(learned, SMALL)).isGreaterThan(0.99);
        }

        @Test
        void ofTheShapeThatChangedAreTheOnesSinceTheChange() {
            assertThat(seconds(after(SMALL, afterBoth(), TWICE), SMALL)).isEqualTo(2);
        }

        @Test
        void stayAsTheyAreOnATypeThatDidNotChange() {
            LearnedSpeed learned = afterBoth();
            Optional<Drift> drift = Optional.empty();
            for (StepShape shape :
                    List.of(SMALL, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE)) {
                UpdateResult lesson = learned.observe(report("B", shape, 2), 1.0);
                learned = lesson.learned();
                drift = drift.or(lesson::drift);
            }

            assertThat(drift).map(Drift::acceleratorType).contains("B");
            assertThat(learned.steps())
                    .filteredOn(step -> step.acceleratorType().equals("A"))
                    .allMatch(step -> step.observation(11).observation().weight() > 0.9);
        }
    }

    @Nested
    class Changes {
        @Test
        void areNotDetectedWhileNothingIsExpected() {
            LearnedSpeed learned = LearnedSpeed.NOTHING;
            for (int i = 0; i < 41; i++) {
                assertThat(learned.baselineSeconds(report("A", SMALL, 1)))
                        .as("report %d", i)
                        .isEmpty();
                UpdateResult lesson = learned.observe(report("A", SMALL, 2), null);
                learned = lesson.learned();
                assertThat(lesson.drift()).isEmpty();
            }
            assertThat(learned.baselineSeconds(report("A", SMALL, 1))).hasValue(2);
            assertThat(learned.baselineSeconds(report("A", LARGE, 1))).isEmpty();
        }

        @Test
        void ofOneShapeAreAttributedToIt() {
            assertThat(drifts(repeat(report("A", SMALL, 2), 10)))
                    .extracting(Drift::dimension)
                    .containsExactly(Drift.Dimension.SHAPE);
        }

        @Test
        void ofOneTypeAmongSeveralAreAttributedToIt() {
            List<SpeedReport> reports = new ArrayList<>(repeat(report("A", SMALL, 1), 2));
            reports.add(report("B", SMALL, 2));
            reports.addAll(repeat(report("B", LARGE, 2), 9));

            List<Drift> drifts = drifts(reports);

            assertThat(drifts).extracting(Drift::acceleratorType).containsExactly("B");
            assertThat(drifts.get(0).factor()).isBetween(1.9, 2.1);
        }

        @Test
        void thatGrowWithSlotsAreAttributedToSlots() {
            List<SpeedReport> reports = new ArrayList<>(repeat(report("A", SMALL, 1), 2));
            reports.addAll(repeat(report("A", LARGE, 2), 10));

            assertThat(drifts(reports)).extracting(Drift::dimension).containsExactly(Drift.Dimension.SLOTS);
        }

        private static List<SpeedReport> repeat(SpeedReport report, int times) {
            return Collections.nCopies(times, report);
        }
    }

    /** After windows of one shape, the first of which opens the start. */
    private static LearnedSpeed after(double... seconds) {
        LearnedSpeed learned = LearnedSpeed.NOTHING;
        for (double one : seconds) {
            learned = learned.observe(report("A", SMALL, one), 1.0).learned();
        }
        return learned;
    }

    /** What was detected in reports of which 1 s was expected each, after the first of the start. */
    private static List<Drift> drifts(List<SpeedReport> reports) {
        LearnedSpeed learned = LearnedSpeed.NOTHING.observe(reports.get(0), 1.0).learned();
        List<Drift> drifts = new ArrayList<>();
        for (SpeedReport report : reports) {
            UpdateResult lesson = learned.observe(report, 1.0);
            learned = lesson.learned();
            Optional<Drift> drift = lesson.drift();
            drift.ifPresent(drifts::add);
        }
        return drifts;
    }

    private static SpeedReport report(String type, StepShape shape, double seconds) {
        return new SpeedReport(type, shape, seconds, 100, 1);
    }
}

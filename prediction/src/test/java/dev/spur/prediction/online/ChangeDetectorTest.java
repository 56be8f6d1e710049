package dev.spur.prediction.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.prediction.speed.StepShape;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of 30 s of steps that are expected to take 1 s. */
class ChangeDetectorTest {
    private static final StepShape SHAPE = StepShape.allReduce(2, 1, 32);
    private static final int REPORT_SECONDS = 30;
    private static final int SEEDS = 50;
    /** Reports of four hours. */
    private static final int REPORTS = 480;

    @Nested
    class NoChange {
        @ParameterizedTest
        @ValueSource(doubles = {0.1, 0.2, 0.3, 0.4})
        void isSeenInNoiseWithOutliers(double noise) {
            for (int seed = 0; seed < SEEDS; seed++) {
                Random random = new Random(seed);
                assertThat(change(report -> Math.exp(noise * random.nextGaussian())
                                * (random.nextInt(20) == 0 ? 2 + 4 * random.nextDouble() : 1)))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }

        @Test
        void isSeenOnANodeThatIsFifteenPercentSlower() {
            for (int seed = 0; seed < SEEDS; seed++) {
                Random random = new Random(seed);
                assertThat(change(report -> 1.15 * Math.exp(0.05 * random.nextGaussian())))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }

        @Test
        void isSeenInBurstsOfFourMinutesPerQuarterOfAnHour() {
            for (int seed = 0; seed < SEEDS; seed++) {
                Random random = new Random(seed);
                assertThat(change(report -> (report % 30 < 8 ? 2.5 : 1) * Math.exp(0.1 * random.nextGaussian())))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }

        @Test
        void isSeenInManyReportsOfAShortTime() {
            assertThat(change(report -> 3, 1, 290)).isEmpty();
        }

        @Test
        void isSeenInFewLongReports() {
            assertThat(change(report -> 3, 600, 9)).isEmpty();
        }
    }

    @Nested
    class ALastingChange {
        /** A change of 30 % after an hour. */
        @ParameterizedTest
        @CsvSource({"0.02, 6", "0.1, 15", "0.2, 40"})
        void isFoundWithinMinutes(double noise, int minutes) {
            for (int seed = 0; seed < SEEDS; seed++) {
                Random random = new Random(seed);
                for (double factor : new double[] {1.3, 1 / 1.3}) {
                    OptionalInt found =
                            change(report -> (report < 120 ? 1 : factor) * Math.exp(noise * random.nextGaussian()));
                    assertThat((found.orElse(REPORTS) + 1 - 120) * REPORT_SECONDS)
                            .as("seconds, seed %d", seed)
                            .isBetween(200, 60 * minutes);
                }
            }
        }

        @Test
        void hasTheMedianFactorOfTheReportsSinceItBegan() {
            ChangeDetector state =
                    ChangeDetector.withoutChange(List.of(), LastingDeviation.NONE, LastingDeviation.NONE);
            for (int report = 0; report < 20; report++) {
                double seconds = report < 10 ? 1.1 : report == 15 ? 9 : 1.6;
                state = state.after(LogResidual.of("A", SHAPE, seconds, 1), REPORT_SECONDS);
            }

            assertThat(state.drift())
                    .isNotNull()
                    .satisfies(drift -> assertThat(drift.factor()).isCloseTo(1.6, within(1e-9)));
        }
    }

    private static OptionalInt change(IntToDoubleFunction seconds) {
        return change(seconds, REPORT_SECONDS, REPORTS);
    }

    /** The number of the first report that detects a change. */
    private static OptionalInt change(IntToDoubleFunction seconds, double covered, int reports) {
        ChangeDetector[] state = {ChangeDetector.withoutChange(List.of(), LastingDeviation.NONE, LastingDeviation.NONE)
        };
        return IntStream.range(0, reports)
                .filter(report -> {
                    state[0] = state[0].after(LogResidual.of("A", SHAPE, seconds.applyAsDouble(report), 1), covered);
                    return state[0].drift() != null;
                })
                .findFirst();
    }
}

package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ArrivalRateTest {
    private static final double HOUR = 3600;

    /** Returns sampled arrivals per hour at this horizon, in ascending order. */
    private static double[] drawn(ArrivalRate rate, int hour) {
        SplittableRandom random = new SplittableRandom(3);
        return java.util.stream.IntStream.range(0, 20_000)
                .mapToDouble(draw -> rate.draw(random, hour)[hour - 1])
                .sorted()
                .toArray();
    }

    private static double mean(double[] numbers) {
        return java.util.Arrays.stream(numbers).average().orElseThrow();
    }

    @Nested
    class WhatWasSeen {
        @Test
        void isZeroWithoutArrivals() {
            ArrivalRate rate = ArrivalRate.ofObservations(List.of(0, 0), 2 * HOUR);

            assertThat(rate.perHour()).isZero();
            assertThat(rate.expectedArrivals(2)).containsOnly(0);
            assertThat(rate.draw(new SplittableRandom(1), 2)).containsOnly(0);
            assertThat(ArrivalRate.ofObservations(List.of(), 0).perHour()).isZero();
        }

        @Test
        void aSteadyRateIsWhatItIs() {
            assertThat(ArrivalRate.ofObservations(Collections.nCopies(24, 12), 24 * HOUR)
                            .perHour())
                    .isCloseTo(12, within(1e-9));
        }

        @Test
        void theNewestHourCountsMost() {
            double falling =
                    ArrivalRate.ofObservations(List.of(0, 20, 20, 20), 4 * HOUR).perHour();
            double rising =
                    ArrivalRate.ofObservations(List.of(20, 20, 20, 0), 4 * HOUR).perHour();

            assertThat(falling).isLessThan(12);
            assertThat(rising).isBetween(16.0, 20.0);
        }

        @Test
        void theOldestHourMayBeCut() {
            assertThat(ArrivalRate.ofObservations(List.of(12, 6), 1.5 * HOUR).perHour())
                    .isCloseTo(12, within(1e-9));
        }
    }

    @Nested
    class WhatComes {
        private final ArrivalRate busyOfLate = ArrivalRate.ofObservations(List.of(40, 40, 10, 10), 4 * HOUR);

        @Test
        void returnsToTheMeanOfThePast() {
            double[] expected = busyOfLate.expectedArrivals(24);

            assertThat(expected[0]).isLessThan(busyOfLate.perHour()).isGreaterThan(expected[3]);
            assertThat(expected[23]).isCloseTo(25, within(0.5));
        }

        @Test
        void isDrawnAboutWhatIsExpected() {
            assertThat(mean(drawn(busyOfLate, 1))).isCloseTo(busyOfLate.expectedArrivals(1)[0], within(0.5));
            assertThat(mean(drawn(busyOfLate, 6))).isCloseTo(busyOfLate.expectedArrivals(6)[5], within(1.0));
        }

        @Test
        void isLessKnownTheFurtherItIs() {
            double[] soon = drawn(busyOfLate, 1);
            double[] late = drawn(busyOfLate, 12);

            assertThat(soon[2_000]).isGreaterThan(20);
            assertThat(late[2_000]).isLessThan(3);
            assertThat(late[18_000]).isGreaterThan(1.5 * mean(late));
        }

        @Test
        void changesByAndBy() {
            SplittableRandom random = new SplittableRandom(5);
            double together = 0;
            double apart = 0;
            for (int draw = 0; draw < 2000; draw++) {
                double[] rates = busyOfLate.draw(random, 20);
                together += Math.abs(rates[11] - rates[10]);
                apart += Math.abs(rates[19] - rates[10]);
            }

            assertThat(together).isLessThan(0.8 * apart);
        }
    }
}

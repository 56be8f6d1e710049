package dev.spur.prediction.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LearnedLoadTest {
    private static LearnedLoad after(double... ratios) {
        return Arrays.stream(ratios).boxed().reduce(LearnedLoad.NOTHING, LearnedLoad::and, (one, other) -> other);
    }

    @Nested
    class WhatIsStatedWrong {
        @Test
        void isPutRightByThreeWindows() {
            assertThat(after(2, 2, 2).factor()).isEqualTo(2);
            assertThat(after(0.5, 0.5, 0.5).factor()).isEqualTo(0.5);
        }

        @Test
        void standsAfterTwo() {
            assertThat(after(2, 2).factor()).isEqualTo(1);
        }

        @Test
        void standsWhileItIsNearlyRight() {
            assertThat(after(1.08, 1.09, 1.08, 1.09, 1.08).factor()).isEqualTo(1);
        }
    }

    @Nested
    class Outliers {
        @Test
        void changeNothingIfTheyAreTwoOfFive() {
            assertThat(after(1e9, 2, 1e-9, 2, 2).factor()).isEqualTo(2);
        }

        @Test
        void areBelievedOnlyUpToABound() {
            assertThat(after(1e9, 1e9, 1e9).factor()).isEqualTo(LearnedLoad.MAX);
            assertThat(after(1e-9, 1e-9, 1e-9).factor()).isEqualTo(LearnedLoad.MIN);
        }

        @Test
        void doNotMoveTheFactorOfANoisyJobIfEachFourthWindowIsOne() {
            SplittableRandom random = new SplittableRandom(1);
            LearnedLoad load = LearnedLoad.NOTHING;
            for (int window = 0; window < 1000; window++) {
                boolean outlier = window % 4 == 0;
                load = load.and(outlier ? random.nextDouble(0.01, 100) : 2 * random.nextDouble(0.9, 1.1));
                if (window > 5) {
                    assertThat(load.factor()).as("window %d of seed 1", window).isCloseTo(2, within(0.5));
                }
            }
        }
    }

    @Test
    void aLastingChangeShowsAfterThreeWindows() {
        assertThat(after(2, 2, 2, 2, 2, 5, 5).factor()).isEqualTo(2);
        assertThat(after(2, 2, 2, 2, 2, 5, 5, 5).factor()).isEqualTo(5);
    }

    @Test
    void whatIsImpossibleIsRefused() {
        assertThatThrownBy(() -> LearnedLoad.NOTHING.and(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LearnedLoad.NOTHING.and(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LearnedLoad(List.of(), 17, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}

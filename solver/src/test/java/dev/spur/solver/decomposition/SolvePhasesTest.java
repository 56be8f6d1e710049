package dev.spur.solver.decomposition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SolvePhasesTest {
    @ParameterizedTest(name = "{0} s left, {1} candidates: {2}")
    @CsvSource({
        "0.2, 10_000, false",
        "0.3, 10_000, true",
        "1, 50_000, false",
        "2, 50_000, true",
        "2, 245_000, false",
        "3, 245_000, true",
        "6, 446_000, false"
    })
    void divingNeedsMoreTimeInLargerRounds(double seconds, String candidates, boolean pays) {
        assertThat(SolvePhases.divingPays(seconds, Integer.parseInt(candidates.replace("_", ""))))
                .isEqualTo(pays);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-9, 0.1, 0.8, 0.81, 2, 20, 1e9})
    void annealingHasAPositiveTimeWithinTheRest(double left) {
        for (int candidates : new int[] {1, 100_000, 1_000_000}) {
            assertThat(SolvePhases.annealingSeconds(left, candidates))
                    .isPositive()
                    .isLessThanOrEqualTo(Math.max(1e-3, left));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000, 1_000_000})
    void withSecondsLeftNeighborhoodsGetAPart(int candidates) {
        assertThat(SolvePhases.annealingSeconds(20, candidates)).isLessThan(20 / 2.0);
        assertThat(SolvePhases.annealingShare(candidates)).isBetween(0.1, 0.9);
    }
}

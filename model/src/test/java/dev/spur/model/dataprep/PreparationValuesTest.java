package dev.spur.model.dataprep;

import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.PreparationFixture.slowDown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Small values around preparations. */
class PreparationValuesTest {
    @Nested
    class ASlowDown {
        @Test
        void isNoneWithAllInTheOwnMemory() {
            assertThat(slowDown().at(1)).isEqualTo(1);
            assertThat(slowDown().at(1, 0)).isEqualTo(1);
        }

        @Test
        void isTheChordBetweenTwoPoints() {
            assertThat(slowDown().at(0.5)).isEqualTo(2);
            assertThat(slowDown().at(0.75)).isEqualTo(1.5);
            assertThat(slowDown().at(0.375)).isEqualTo(2.5);
        }

        @Test
        void promisesNothingWhereNothingWasMeasured() {
            assertThat(slowDown().at(0.125)).isEqualTo(6);
        }

        @Test
        void isThatOfTheCurveWhenOthersLendAllTheRest() {
            assertThat(slowDown().at(0.5, 0.5)).isEqualTo(2);
        }

        @Test
        void growsBySwappingInProportionToWhatIsSwapped() {
            assertThat(slowDown().at(0.5, 0)).isEqualTo(9);
            assertThat(slowDown().at(0.5, 0.25)).isEqualTo(5.5, within(1e-12));
        }

        @Test
        void mustEndAtOneAndMustNotRise() {
            var half = new SlowdownCurve.Point(0.5, 2);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new SlowdownCurve(List.of(half), 8))
                    .withMessageContaining("localFraction 1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new SlowdownCurve(List.of(half, new SlowdownCurve.Point(1, 1.1)), 8))
                    .withMessageContaining("factor 1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new SlowdownCurve(
                            List.of(half, new SlowdownCurve.Point(0.75, 2.5), new SlowdownCurve.Point(1, 1)), 8))
                    .withMessageContaining("above that of a smaller fraction");
        }
    }

    @Nested
    class ASpecification {
        @Test
        void roundsTheLeastLocalMemoryUpToWholeGiB() {
            assertThat(preparation("p")
                            .workingSet(32)
                            .leastLocal(0.25)
                            .build()
                            .spec()
                            .minLocalGiB())
                    .isEqualTo(8);
            assertThat(preparation("p")
                            .workingSet(33)
                            .leastLocal(0.25)
                            .build()
                            .spec()
                            .minLocalGiB())
                    .isEqualTo(9);
        }

        @Test
        void mayNotStartWithLessThanWasMeasured() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> preparation("p").leastLocal(0.2).build())
                    .withMessageContaining("minLocalFraction");
        }
    }

    @Nested
    class AGrant {
        @Test
        void comesFromOthersAndFromEachOnce() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new PreparationAllocation("n1", 1, 1, List.of(new Loan("n1", 1)), 0))
                    .withMessageContaining("lends to itself");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            new PreparationAllocation("n1", 1, 1, List.of(new Loan("n2", 1), new Loan("n2", 2)), 0))
                    .withMessageContaining("lends twice");
        }
    }

    @Nested
    class Headroom {
        @Test
        void isTheLargerOfBothLimits() {
            assertThat(LendingSettings.DEFAULT.headroom(64)).isEqualTo(8);
            assertThat(LendingSettings.DEFAULT.headroom(160)).isEqualTo(16);
        }
    }
}

package dev.spur.prediction.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FormulasTest {
    private static final double[] BATCHES = {8, 32, 128};

    record Case(Formula formula, SyncStrategy strategy) {
        @Override
        public String toString() {
            return formula.name() + " under " + strategy;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(SyncStrategy.values())
                .flatMap(strategy -> Formulas.of(strategy).stream().map(formula -> new Case(formula, strategy)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void parametersThatMadeTheStepsAreFoundAgain(Case given) {
        double[] truth = truth(given.formula());
        List<StepObservation> seen = new ArrayList<>();
        for (StepShape shape : shapes(given.strategy(), 1, 2, 4, 16)) {
            seen.add(StepObservation.of(shape, Math.exp(given.formula().logSeconds(truth, shape))));
        }

        PosteriorModel fittedModel =
                SpeedModels.fit(seen, SpeedPrior.NONE, given.formula().name());

        for (StepShape shape : shapes(given.strategy(), 3, 8)) {
            assertThat(fittedModel.stepSeconds(shape) / Math.exp(given.formula().logSeconds(truth, shape)))
                    .as("%s", shape)
                    .isBetween(0.92, 1.08);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void moreSlotsNeverMakeTheSamePassesFaster(Case given) {
        double[] parameters = truth(given.formula());

        for (double batch : BATCHES) {
            double before = 0;
            for (int slots = 1; slots <= 64; slots *= 2) {
                double seconds = given.formula().logSeconds(parameters, shape(given.strategy(), slots, batch, 4));
                assertThat(seconds).isGreaterThanOrEqualTo(slots == 1 ? seconds : before);
                before = seconds;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void addingTheSameToAllTimesScalesEveryStep(Case given) {
        double[] moved = truth(given.formula());
        for (int i = 0; i < moved.length; i++) {
            moved[i] += Math.log(3) * given.formula().times()[i];
        }

        for (StepShape shape : shapes(given.strategy(), 1, 4, 16)) {
            double factor = Math.exp(given.formula().logSeconds(moved, shape)
                    - given.formula().logSeconds(truth(given.formula()), shape));
            assertThat(factor).isBetween(3 - 1e-9, 3 + 1e-9);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void passesThatDoNotSynchroniseTakeTimeToo(Case given) {
        StepShape once = shape(given.strategy(), 4, 32, 2);
        StepShape thrice = new StepShape(4, once.nodes(), 32, 2, once.aggregationSlots());

        assertThat(given.formula().logSeconds(truth(given.formula()), thrice))
                .isGreaterThan(given.formula().logSeconds(truth(given.formula()), once));
    }

    @Test
    void aFormulaOfAnotherStrategyIsRefused() {
        assertThatThrownBy(() -> Formulas.ofName("optimus", SyncStrategy.ALL_REDUCE))
                .hasMessageContaining("optimus")
                .hasMessageContaining("pollux");
    }

    private static double[] truth(Formula formula) {
        return formula.usual(0.2, 32).mean().toArray();
    }

    private static List<StepShape> shapes(SyncStrategy strategy, int... slots) {
        List<StepShape> shapes = new ArrayList<>();
        for (int count : slots) {
            for (double batch : BATCHES) {
                shapes.add(shape(strategy, count, batch, 1));
                shapes.add(shape(strategy, count, batch, 4));
            }
        }
        return shapes.stream().distinct().toList();
    }

    /** On one node up to four slots; {@code servers} are not looked at under AllReduce. */
    private static StepShape shape(SyncStrategy strategy, int slots, double batch, double servers) {
        double aggregation = strategy == SyncStrategy.ALL_REDUCE ? 0 : servers;
        return new StepShape(slots, (slots + 3) / 4, batch, 0, aggregation);
    }
}

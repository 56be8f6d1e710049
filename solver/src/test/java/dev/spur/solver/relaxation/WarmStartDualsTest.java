package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WarmStartDualsTest {
    private static Map<String, Double> named(CouplingConstraints constraints, double[] prices) {
        Map<String, Double> named = new HashMap<>();
        IntStream.range(0, prices.length)
                .forEach(r -> named.put(constraints.rows().get(r).key().toString(), prices[r]));
        return named;
    }

    @Test
    void rowsHaveThePriceOfTheirResourceOrZero() {
        SmallRounds.Round round = SmallRounds.QUOTAS.round(4, 4, 8);
        CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
        double[] prices = round.prices(constraints, new Random(1));
        Map<String, Double> named = named(constraints, prices);
        named.put("another resource", 7.0);
        named.remove(constraints.rows().get(0).key().toString());
        prices[0] = 0;

        assertThat(WarmStartDuals.byRow(constraints, named)).isEqualTo(prices);
        assertThat(WarmStartDuals.byRow(constraints, Map.of())).containsOnly(0);
    }

    /** Without claims and nodes to cut, the Lagrangian bound at 0 is that of all jobs at their best. */
    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "SHRUNK_HOSTS", "RESTARTS"})
    void startIsTheOneWithTheLowerLagrangianBound(SmallRounds kind) {
        int warm = 0;
        int cold = 0;
        for (long seed = 0; seed < 60; seed++) {
            SmallRounds.Round round = kind.round(seed, 4, 8);
            CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
            double[] zero = new double[constraints.rows().size()];
            double[] prices = round.prices(constraints, new Random(seed));
            if (!constraints.claims().isEmpty() || Arrays.equals(prices, zero)) {
                continue;
            }
            int[] any = new int[constraints.jobs()];
            boolean lower = LagrangianEvaluation.of(constraints, prices, any).bound()
                    <= LagrangianEvaluation.of(constraints, zero, any).bound();

            assertThat(WarmStartDuals.startPrices(constraints, named(constraints, prices)))
                    .as("%s", round)
                    .isEqualTo(lower ? prices : zero);
            warm += lower ? 1 : 0;
            cold += lower ? 0 : 1;
        }
        assertThat(warm).isPositive();
        assertThat(cold).isPositive();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e30, Double.POSITIVE_INFINITY, Double.NaN})
    void uselessPricesAreNotTaken(double useless) {
        CouplingConstraints constraints = SmallRounds.PLAIN.round(4, 4, 8).constraints(RelaxationLevel.PATTERNS);
        double[] prices = new double[constraints.rows().size()];
        Arrays.fill(prices, useless);

        assertThat(WarmStartDuals.startPrices(constraints, named(constraints, prices)))
                .containsOnly(0);
    }
}

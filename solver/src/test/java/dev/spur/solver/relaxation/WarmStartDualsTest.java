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
    private static Map<String, Double> named(CouplingConstraints rows, double[] prices) {
        Map<String, Double> named = new HashMap<>();
        IntStream.range(0, prices.length)
                .forEach(r -> named.put(rows.rows().get(r).key().toString(), prices[r]));
        return named;
    }

    @Test
    void rowsHaveThePriceOfTheirResourceOrZero() {
        SmallRounds.Round round = SmallRounds.QUOTAS.round(4, 4, 8);
        CouplingConstraints rows = round.constraints(RelaxationLevel.PATTERNS);
        double[] prices = round.prices(rows, new Random(1));
        Map<String, Double> named = named(rows, prices);
        named.put("another resource", 7.0);
        named.remove(rows.rows().get(0).key().toString());
        prices[0] = 0;

        assertThat(WarmStartDuals.byRow(rows, named)).isEqualTo(prices);
        assertThat(WarmStartDuals.byRow(rows, Map.of())).containsOnly(0);
    }

    /** Without claims and nodes to cut, the Lagrangian bound at 0 is that of all jobs at their best. */
    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "SHRUNK_HOSTS", "RESTARTS"})
    void startIsTheOneWithTheLowerLagrangianBound(SmallRounds kind) {
        int warm = 0;
        int cold = 0;
        for (long seed = 0; seed < 60; seed++) {
            SmallRounds.Round round = kind.round(seed, 4, 8);
            CouplingConstraints rows = round.constraints(RelaxationLevel.PATTERNS);
            double[] zero = new double[rows.rows().size()];
            double[] prices = round.prices(rows, new Random(seed));
            if (!rows.claims().isEmpty() || Arrays.equals(prices, zero)) {
                continue;
            }
            int[] any = new int[rows.jobs()];
            boolean lower = LagrangianEvaluation.of(rows, prices, any).bound()
                    <= LagrangianEvaluation.of(rows, zero, any).bound();

            assertThat(WarmStartDuals.startPrices(rows, named(rows, prices)))
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
        CouplingConstraints rows = SmallRounds.PLAIN.round(4, 4, 8).constraints(RelaxationLevel.PATTERNS);
        double[] prices = new double[rows.rows().size()];
        Arrays.fill(prices, useless);

        assertThat(WarmStartDuals.startPrices(rows, named(rows, prices))).containsOnly(0);
    }
}

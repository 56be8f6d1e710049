package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReducedCostsTest {
    @ParameterizedTest
    @EnumSource
    void lossIsTheDistanceToTheMaximumReducedCostOfTheJob(SmallRounds kind) {
        for (long seed = 0; seed < 40; seed++) {
            SmallRounds.Round round = kind.round(seed, 4, 8);
            CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
            double[] prices = round.prices(constraints, new Random(seed));

            ReducedCosts costs = new ReducedCosts(constraints, prices);

            for (int j = 0; j < constraints.jobs(); j++) {
                double best = constraints.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
                for (int c : constraints.candidatesOf(j).toArray()) {
                    double[] use = new double[prices.length];
                    constraints.addUse(c, 1, use);
                    double reduced = constraints.worth(c);
                    for (int r = 0; r < use.length; r++) {
                        reduced -= prices[r] * use[r];
                    }
                    best = Math.max(best, reduced);
                    assertThat(costs.reducedCost(c))
                            .as("%s, candidate %d", round, c)
                            .isCloseTo(reduced, within(1e-12));
                }
                assertThat(costs.best(j)).as("%s, job %d", round, j).isCloseTo(best, within(1e-12));
                assertThat(costs.of(j, -1)).isCloseTo(best, within(1e-12));
                for (int c : constraints.candidatesOf(j).toArray()) {
                    assertThat(costs.of(j, c))
                            .isCloseTo(best - costs.reducedCost(c), within(1e-12))
                            .isNotNegative();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void laterChangesOfThePricesDoNotCount(SmallRounds kind) {
        SmallRounds.Round round = kind.round(1, 4, 8);
        CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
        double[] prices = round.prices(constraints, new Random(1));
        ReducedCosts costs = new ReducedCosts(constraints, prices);
        double before = costs.reducedCost(0);

        Arrays.fill(prices, 1e6);

        assertThat(costs.reducedCost(0)).isEqualTo(before);
    }

    /** The rule of reduced-cost fixing: no plan with the candidate is better than the bound minus its loss. */
    @ParameterizedTest
    @EnumSource
    void noPlanWithACandidateIsAboveTheBoundMinusItsLoss(SmallRounds kind) {
        int excluded = 0;
        for (long seed = 0; seed < 40; seed++) {
            SmallRounds.Round round = kind.round(seed, 3, 4);
            double optimum = round.optimum();
            CouplingConstraints constraints = round.constraints(RelaxationLevel.TENANTS);
            if (optimum == Double.NEGATIVE_INFINITY || !LinearRelaxation.applies(constraints)) {
                continue;
            }
            RelaxationSolution relaxation = LinearRelaxation.solve(constraints, Math.abs(optimum), 2, () -> false);
            DualSolution evaluated = LagrangianEvaluation.of(
                    constraints, relaxation.prices(), relaxation.dual().roundedChoice());
            for (int j = 0; j < constraints.jobs(); j++) {
                for (int c : constraints.candidatesOf(j).filter(c -> c % 3 == 0).toArray()) {
                    double with = round.optimumWith(c);
                    for (DualSolution dual : new DualSolution[] {relaxation.dual(), evaluated}) {
                        double max = dual.decisionsBound()
                                - dual.reducedCosts().of(j, c)
                                + dual.decisions().slack(j);

                        assertThat(with).as("%s with candidate %d", round, c).isLessThanOrEqualTo(max + 1e-9);
                        excluded += max < optimum - 1e-9 ? 1 : 0;
                    }
                }
            }
        }
        assertThat(excluded).isGreaterThanOrEqualTo(20);
    }
}

package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LagrangianEvaluationTest {
    private static final int SEEDS = 80;

    /** Also where the price of a claim is above that of the rows in which it counts. */
    @ParameterizedTest
    @EnumSource
    void noPlanHasAnObjectiveValueAboveTheBoundAtAnyPrices(SmallRounds kind) {
        int close = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SmallRounds.Round round = kind.round(seed, 3, 4);
            double optimum = round.optimum();
            if (optimum == Double.NEGATIVE_INFINITY) {
                continue;
            }
            Random random = new Random(seed);
            for (RelaxationLevel level : RelaxationLevel.values()) {
                CouplingConstraints constraints = round.constraints(level);
                for (int trial = 0; trial < 5; trial++) {
                    double bound = LagrangianEvaluation.of(
                                    constraints, round.prices(constraints, random), new int[constraints.jobs()])
                            .bound();

                    assertThat(bound).as("%s at %s", round, level).isGreaterThanOrEqualTo(optimum - 1e-9);
                    close += bound < 2 * optimum ? 1 : 0;
                }
            }
        }
        assertThat(close).isGreaterThan(SEEDS / 4);
    }

    /** Without joint subproblems every part of the bound is the maximum of one job or node. */
    @ParameterizedTest
    @EnumSource
    void boundIsTheSumOfTheMaximaOfJobsAndNodes(SmallRounds kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            SmallRounds.Round round = kind.round(seed, 4, 8);
            CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
            double[] prices = round.prices(constraints, new Random(seed));
            int[] desired = IntStream.range(0, constraints.jobs()).toArray();

            DualSolution evaluated = LagrangianEvaluation.of(constraints, prices, desired);

            double expected = 0;
            for (int j = 0; j < constraints.jobs(); j++) {
                int best = constraints.best(j, prices);
                expected += best < 0 ? 0 : constraints.reducedWorth(best, prices);
                assertThat(evaluated.decisions().choice()[j]).isEqualTo(best);
            }
            for (int r = 0; r < prices.length; r++) {
                expected += prices[r] * constraints.rows().get(r).capacity();
            }
            expected += nodes(round, constraints, prices);
            assertThat(evaluated.bound() - claims(constraints, prices))
                    .as("%s", round)
                    .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(evaluated.bound()))));
            assertThat(evaluated.decisionsBound()).isEqualTo(evaluated.bound());
            assertThat(evaluated.roundedChoice()).isEqualTo(desired);
            assertThat(evaluated.sharedPrices()).isEqualTo(prices);
            assertThat(evaluated.byRow()).isEqualTo(prices);
        }
    }

    private static double nodes(SmallRounds.Round round, CouplingConstraints constraints, double[] prices) {
        return round.candidates().clusterIndex().classes().stream()
                .flatMapToDouble(nodeClass -> nodeClass.nodes().stream()
                        .mapToDouble(v -> constraints.patternCapacity().worthOfNode(nodeClass.index(), v, prices)))
                .sum();
    }

    /** Returns the value of all claims, each at its end that is worth more. */
    private static double claims(CouplingConstraints constraints, double[] prices) {
        double value = 0;
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            double above = claim.counts().stream().mapToDouble(r -> prices[r]).sum();
            double price = prices[claim.cover()] - above;
            value += Math.max(claim.min() * price, claim.max() * price);
        }
        return value;
    }

    /** A joint subproblem takes whole jobs within its quotas, so that their prices cannot give a lower bound. */
    @ParameterizedTest
    @EnumSource(names = {"GROUPS", "QUOTAS"})
    void jointSubproblemsReplaceThePricesOfTheirQuotas(SmallRounds kind) {
        int together = 0;
        int lower = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SmallRounds.Round round = kind.round(seed, 4, 8);
            CouplingConstraints constraints = round.constraints(RelaxationLevel.TENANTS);
            double[] prices = round.prices(constraints, new Random(seed));

            DualSolution evaluated = LagrangianEvaluation.of(constraints, prices, new int[constraints.jobs()]);

            for (DualDecisions.JointSubproblem subproblem :
                    evaluated.decisions().jointSubproblems()) {
                together++;
                subproblem
                        .subproblem()
                        .ownRows()
                        .forEach(r -> assertThat(evaluated.sharedPrices()[r]).isZero());
                int[] choice = evaluated.decisions().choice();
                for (int j : subproblem.subproblem().jobs()) {
                    constraints
                            .candidatesOf(j)
                            .forEach(c -> assertThat(evaluated.reducedCosts().reducedCost(c))
                                    .isEqualTo(constraints.reducedWorth(c, evaluated.byRow())));
                }
                assertThat(subproblem.subproblem().gain(evaluated.sharedPrices(), j -> choice[j]))
                        .as("best joint choice of %s", round)
                        .isCloseTo(subproblem.bound(), within(1e-9 * Math.max(1, Math.abs(subproblem.bound()))));
                for (int j : subproblem.subproblem().jobs()) {
                    assertThat(evaluated.decisions().slack(j)).isGreaterThanOrEqualTo(-1e-9);
                    lower += evaluated.decisions().slack(j) > 1e-9 ? 1 : 0;
                }
            }
            assertThat(Arrays.stream(evaluated.byRow()).min().orElse(0)).isGreaterThanOrEqualTo(0);
        }
        assertThat(together).isGreaterThan(10);
        assertThat(lower).isPositive();
    }
}

package dev.spur.model.utility;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Synchronization;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The formulas of worth, each counted by hand. Jobs wait since 1,000, the time of the problem, unless they say
 * otherwise.
 */
class UtilityTest {
    private static final Offset<Double> EXACT = within(1e-12);

    private static ProblemFixture under(ObjectiveKind kind) {
        return problem().nodes(8).objective(kind);
    }

    private static JobFixture fresh() {
        return job("a").arrival(1000).slots(1, 8);
    }

    /** Worth of two slots at 200 effective samples/s, at no price. */
    private static double utility(ProblemFixture fixture, boolean unchanged) {
        return utility(fixture, 200, unchanged);
    }

    private static double utility(ProblemFixture fixture, double goodput, boolean unchanged) {
        RoundProblem problem = fixture.build();
        return new Utility(problem)
                .of(problem.jobs().get(0))
                .of(
                        configuration(List.of(2)),
                        goodput,
                        unchanged ? ChangeMechanism.UNCHANGED : ChangeMechanism.RESTART,
                        NodeTerms.ofPrice(0));
    }

    @Nested
    class Progress {
        private final ProblemFixture progress = under(ObjectiveKind.PROGRESS);

        @Test
        void isTheShareOfTheTotalWorkDoneWithinTheHorizon() {
            assertThat(utility(progress.job(fresh().work(1e6).remaining(5e5)), true))
                    .isCloseTo(200 * 1200 / 1e6, EXACT);
        }

        @Test
        void losesTheRestart() {
            assertThat(utility(progress.job(fresh().work(1e6).restartPenalty(100)), false))
                    .isCloseTo(200 * 1100 / 1e6, EXACT);
        }

        @Test
        void endsWithTheRemainingWork() {
            assertThat(utility(progress.job(fresh().work(1e6).remaining(1e5)), true))
                    .isCloseTo(0.1, EXACT);
        }

        @Test
        void looksFartherForAJobWhoseRestartIsLong() {
            assertThat(utility(progress.job(fresh().work(1e6).restartPenalty(400)), false))
                    .as("a horizon of 4 x 400 s, less the restart")
                    .isCloseTo(200 * 1200 / 1e6, EXACT);
        }

        @Test
        void isNothingWhereTheRestartTakesTheWholeHorizon() {
            assertThat(utility(progress.horizon(100, 1).job(fresh().restartPenalty(100)), false))
                    .isZero();
        }
    }

    @Nested
    class RemainingTime {
        private final ProblemFixture remaining = under(ObjectiveKind.REMAINING_TIME);

        @Test
        void isTheShareOfTheRemainingWork() {
            assertThat(utility(remaining.job(fresh().work(1e6).remaining(5e5)), true))
                    .isCloseTo(200 * 1200 / 5e5, EXACT);
        }

        @Test
        void isAtMostTheWholeOfIt() {
            assertThat(utility(remaining.job(fresh().work(1e6).remaining(1e3)), false))
                    .isCloseTo(1, EXACT);
        }

        @Test
        void isNothingWhereNothingRemains() {
            assertThat(utility(remaining.job(fresh().remaining(0)), true)).isZero();
        }
    }

    /** Goodput relative to 100 on one slot; power -0.5, bonus 1.1, change penalty 0.01. */
    @Nested
    class FairGoodput {
        /** Two stalls of 100 s in the 1,250 s that are left. */
        private static final double STOP_COST = 1 + 2 * 100 / 1250.0;

        private final ProblemFixture fair = under(ObjectiveKind.FAIR_GOODPUT);

        @Test
        void hasDiminishingReturns() {
            assertThat(utility(fair.job(fresh()), 100, true)).isCloseTo(1.1 - 1, EXACT);
            assertThat(utility(fair, 400, true)).isCloseTo(1.1 - 0.5, EXACT);
        }

        @Test
        void paysForAChange() {
            assertThat(utility(fair.job(fresh()), 400, false)).isCloseTo(1.1 - 0.5 - 0.01, EXACT);
        }

        @Test
        void discountsTheRestartOfARunningJobByItsAge() {
            JobFixture running = job("a").slots(1, 8)
                    .restartPenalty(100)
                    .restarts(2)
                    .arrival(100)
                    .on("n1", 1);

            assertThat(utility(fair.job(running), 400, false))
                    .as("f = (900 - 2 x 100) / (900 + 100) = 0.7")
                    .isCloseTo((1.1 - Math.pow(0.7 * 4, -0.5) - 0.01) * STOP_COST, EXACT);
            assertThat(utility(fair, 400, true)).isCloseTo((1.1 - 0.5) * STOP_COST, EXACT);
        }

        @Test
        void doesNotDiscountAJobYoungerThanItsRestart() {
            JobFixture young =
                    job("a").slots(1, 8).restartPenalty(100).restarts(2).arrival(901);

            assertThat(utility(fair.job(young.on("n1", 1)), 400, false))
                    .isCloseTo((1.1 - 0.5 - 0.01) * STOP_COST, EXACT);
        }

        @Test
        void doesNotDiscountAStart() {
            JobFixture waiting =
                    job("a").slots(1, 8).restartPenalty(100).restarts(2).waitingSince(1000);

            assertThat(utility(fair.job(waiting), 400, false)).isCloseTo(1.1 - 0.5 - 0.01, EXACT);
        }

        @Test
        void rulesOutAChangeThatRestartsHaveUsedUp() {
            JobFixture worn =
                    job("a").slots(1, 8).restartPenalty(100).restarts(9).arrival(100);

            assertThat(utility(fair.job(worn.on("n1", 1)), 400, false)).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(utility(fair, 400, true)).isCloseTo((1.1 - 0.5) * STOP_COST, EXACT);
        }

        @Test
        void takesTheSmallestConfigurationOverAllTypesOfTheClusterForReference() {
            JobFixture both = fresh().speedsOn("A100", 100, 180).speedsOn("V100", 25, 45);

            assertThat(utility(under(ObjectiveKind.FAIR_GOODPUT).job(both), 100, true))
                    .as("no V100 there")
                    .isCloseTo(1.1 - 1, EXACT);
            assertThat(utility(fair.node(node("v", 4).type("V100")).job(both), 100, true))
                    .isCloseTo(1.1 - 0.5, EXACT);
        }

        @Test
        void takesTheSmallestConfigurationThatRuns() {
            assertThat(utility(fair.job(fresh().speeds(0, 200)), 800, true)).isCloseTo(1.1 - 0.5, EXACT);
        }

        @Test
        void takesTheSmallestConfigurationWhoseBatchFits() {
            JobFixture large =
                    fresh().speeds(100, 200, 300, 400).batch(new BatchLimits(64, 64, 64, 32, Map.of(), false));

            assertThat(utility(fair.job(large), 800, true)).isCloseTo(1.1 - 0.5, EXACT);
        }

        @Test
        void takesTheStrategyThatRunsForReference() {
            JobFixture served = fresh().synchronization(new Synchronization(true, true, 1, 2))
                    .servedSpeed(1, 1, 100)
                    .servedSpeed(2, 1, 200);

            assertThat(utility(fair.job(served), 400, true)).isCloseTo(1.1 - 0.5, EXACT);
        }
    }

    @Nested
    class LeastAttainedService {
        private static final Objective THREE_QUEUES =
                new Objective(ObjectiveKind.LEAST_ATTAINED_SERVICE, 0.5, 1.1, 0.01, List.of(1000.0, 5000.0), 10, 0);

        private static double afterService(double slotSeconds) {
            return utility(
                    problem().nodes(8).objective(THREE_QUEUES).job(fresh().attainedService(slotSeconds)), 400, true);
        }

        @Test
        void weighsAQueueManyTimesTheNextOne() {
            assertThat(afterService(0)).isCloseTo(100 * 0.6, EXACT);
            assertThat(afterService(999)).isCloseTo(100 * 0.6, EXACT);
            assertThat(afterService(1000)).isCloseTo(10 * 0.6, EXACT);
            assertThat(afterService(5000)).isCloseTo(0.6, EXACT);
        }
    }

    @Nested
    class Weights {
        @Test
        void weightAndTenantsMultiplyWhateverThePriority() {
            ProblemFixture weighted = under(ObjectiveKind.PROGRESS)
                    .tenant(new Tenant("lab", null, 3, Map.of()))
                    .tenant(new Tenant("team", "lab", 0.5, Map.of()))
                    .job(fresh().tenant("team").weight(2).priority(2));

            assertThat(utility(weighted, true)).isCloseTo(0.24 * 3 * 0.5 * 2, EXACT);
        }

        @Test
        void doNotGrowWithTheWait() {
            ProblemFixture late = under(ObjectiveKind.PROGRESS).now(400_000);

            assertThat(utility(late.job(fresh()), true)).isCloseTo(0.24, EXACT);
        }
    }

    @Nested
    class Prices {
        @Test
        void areTakenOffForTheSlotsOverTheHorizonWhateverTheWeight() {
            Objective priced = new Objective(ObjectiveKind.PROGRESS, 0.5, 1.1, 0.01, List.of(), 1, 0.05);
            RoundProblem problem =
                    problem().nodes(8).objective(priced).job(fresh().weight(3)).build();

            double utility = new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(configuration(List.of(2)), 200, ChangeMechanism.UNCHANGED, NodeTerms.ofPrice(1.5));

            assertThat(utility).isCloseTo(3 * 0.24 - 0.05 * (1.5 * 2 / 3), EXACT);
        }
    }

    @Nested
    class Preferences {
        private static double utility(ObjectiveKind kind, double revenue, double factor) {
            RoundProblem problem = under(kind)
                    .horizon(1200, 1)
                    .job(fresh().work(1e6).revenue(revenue))
                    .build();
            return new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(configuration(List.of(2)), 200, ChangeMechanism.RESTART, new NodeTerms(1, factor));
        }

        @Test
        void multiplyAPositiveGain() {
            assertThat(utility(ObjectiveKind.PROGRESS, 0, 0.8))
                    .isPositive()
                    .isCloseTo(0.8 * utility(ObjectiveKind.PROGRESS, 0, 1), EXACT);
        }

        @Test
        void lowerANegativeGainAsMuch() {
            assertThat(utility(ObjectiveKind.PROFIT, 0, 0.8))
                    .isNegative()
                    .isCloseTo(1.2 * utility(ObjectiveKind.PROFIT, 0, 1), EXACT);
        }
    }

    /** Revenue of 6 for 10,000 s of work at 100 samples/s: 2.16 for each hour. Two slots run at 200 samples/s. */
    @Nested
    class Profit {
        private static final double PRICE = 0.5;
        private final ProblemFixture profit = under(ObjectiveKind.PROFIT).horizon(1200, 1);

        private double profit(ProblemFixture fixture, double price, ChangeMechanism change) {
            RoundProblem problem = fixture.build();
            return new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(configuration(List.of(2)), 200, change, NodeTerms.ofPrice(price));
        }

        private double profit(JobFixture job) {
            return profit(profit.job(job), PRICE, ChangeMechanism.UNCHANGED);
        }

        @Test
        void isTheRevenueOfTheProgressMinusTheCostOfTheSlots() {
            assertThat(profit(fresh().work(1e6).revenue(6))).isCloseTo(6 * 0.24 - 2 * PRICE / 3, EXACT);
        }

        @Test
        void countsTheShareOfTheRemainingWork() {
            assertThat(profit(fresh().work(1e6).remaining(5e5).revenue(6))).isCloseTo(6 * 0.48 - 2 * PRICE / 3, EXACT);
        }

        @Test
        void losesTheRevenueOfTheStallAndPaysForIt() {
            assertThat(profit(
                            profit.job(fresh().work(1e6).restartPenalty(100).revenue(6)),
                            PRICE,
                            ChangeMechanism.RESTART))
                    .isCloseTo(6 * 200 * 1100 / 1e6 - 2 * PRICE / 3, EXACT);
        }

        @Test
        void earnsAtTheSameRateUntilTheHorizonWhenTheJobEndsBefore() {
            assertThat(profit(fresh().work(1e6).remaining(1e5).revenue(6)))
                    .as("500 s of 1,200 s")
                    .isCloseTo(2.4 * (6 - 2 * PRICE * 500 / 3600), EXACT);
        }

        @Test
        void countsAMinuteForAnEarlierEnd() {
            assertThat(profit(fresh().work(1e6).remaining(2e3).revenue(6)))
                    .isCloseTo(20 * (6 - 2 * PRICE * 10 / 3600), EXACT);
        }

        @Test
        void isBelowZeroWhereTheSlotsCostMore() {
            assertThat(profit(fresh().work(1e6).revenue(1))).isCloseTo(0.24 - 2 * PRICE / 3, EXACT);
        }

        @Test
        void isTheNegativeCostWithoutRevenue() {
            assertThat(profit(fresh().work(1e6))).isCloseTo(-2 * PRICE / 3, EXACT);
        }

        @Test
        void growsWithTheWeight() {
            assertThat(profit(fresh().work(1e6).revenue(6).weight(3))).isCloseTo(3 * (6 * 0.24 - 2 * PRICE / 3), EXACT);
        }

        @Test
        void paysForTheCpusOfTheSlots() {
            ProblemFixture priced =
                    profit.prices(0.1, 0).job(fresh().work(1e6).host(4, 0).revenue(6));

            assertThat(profit(priced, PRICE, ChangeMechanism.UNCHANGED))
                    .isCloseTo(6 * 0.24 - 2 * (PRICE + 0.4) / 3, EXACT);
        }

        @Test
        void paysForThePowerOfBusyDevicesAboveThatOfIdleOnes() {
            RoundProblem problem = profit.prices(0, 0.2)
                    .types(new AcceleratorType("A100", 40, null, 0.0, 50.0, 400.0))
                    .job(fresh().work(1e6).revenue(6))
                    .build();

            double utility = new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(configuration(List.of(2)), 200, ChangeMechanism.UNCHANGED, NodeTerms.ofPrice(PRICE));

            assertThat(utility).isCloseTo(6 * 0.24 - 2 * (PRICE + 0.2 * 0.35) / 3, EXACT);
        }

        @Test
        void paysForItsShareOfADevice() {
            JobFixture half = fresh().work(1e6).revenue(6).share(0.5);
            RoundProblem problem = profit.job(half).build();

            double utility = new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(configuration(List.of(1)), 100, ChangeMechanism.UNCHANGED, NodeTerms.ofPrice(PRICE));

            assertThat(utility).isCloseTo(6 * 0.12 - 0.5 * PRICE / 3, EXACT);
        }

        @Test
        void ofARunningJobContainsTheCostOfStoppingItIfItIsPositive() {
            JobFixture running = fresh().work(1e6).restartPenalty(90).on("n1", 2);
            double stop = 1 + 2 * 90 / 1250.0;

            assertThat(profit(running.revenue(6))).isCloseTo(stop * (6 * 0.24 - 2 * PRICE / 3), EXACT);
        }

        @Test
        void ofARunningJobThatCostsMoreHasNoCostOfStopping() {
            assertThat(profit(fresh().work(1e6).restartPenalty(90).on("n1", 2).revenue(1)))
                    .isCloseTo(0.24 - 2 * PRICE / 3, EXACT);
        }
    }

    @Test
    void aServedConfigurationCountsItsSlotsAlone() {
        RoundProblem problem =
                under(ObjectiveKind.PROGRESS).job(fresh().served(1)).build();
        var configuration = served(0, piece("n1", 0, 2), "n1", 1).configuration();

        double utility = new Utility(problem)
                .of(problem.jobs().get(0))
                .of(configuration, 200, ChangeMechanism.UNCHANGED, NodeTerms.ofPrice(0));

        assertThat(utility).isCloseTo(0.24, EXACT);
    }
}

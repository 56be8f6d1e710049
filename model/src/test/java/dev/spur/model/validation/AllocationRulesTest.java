package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the judge asks of the allocation of a single job. */
class AllocationRulesTest {
    private static final Allocation TWO_SLOTS = allocation(1000, piece("n1", 0, 2));

    private static ProblemFixture cluster() {
        return problem().nodes(4, 4);
    }

    private static List<String> rulesBrokenBy(RoundProblem problem, Allocation allocation) {
        return plan(problem).run("a", allocation).brokenRules();
    }

    private static Allocation as(Configuration configuration) {
        return new Allocation(configuration, TWO_SLOTS.placement(), List.of(), 1000);
    }

    @Nested
    class DevicesCanSumGradientsAsPlanned {
        private static ProblemFixture slices(int together) {
            return cluster().types(new AcceleratorType("A100", 20, together));
        }

        @Test
        void asManyAsReduceMayDoSo() {
            assertThat(rulesBrokenBy(slices(2).job(job("a").slots(2)).build(), TWO_SLOTS))
                    .isEmpty();
        }

        @Test
        void oneMoreMayNot() {
            assertThat(rulesBrokenBy(slices(1).job(job("a").slots(2)).build(), TWO_SLOTS))
                    .containsExactly("devicesSupportTheStrategy");
        }

        @Test
        void aggregatorsSumForAnyNumber() {
            Allocation servers = served(1000, piece("n1", 0, 2), "n1", 1);

            assertThat(rulesBrokenBy(slices(1).job(job("a").slots(2).served(1)).build(), servers))
                    .isEmpty();
        }

        @Test
        void whoHoldsTooManyLeaves() {
            RoundProblem problem = slices(1)
                    .now(9000)
                    .job(job("a").slots(1, 2).holding(TWO_SLOTS))
                    .build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly("devicesSupportTheStrategy");
        }
    }

    @Nested
    class TheRequestAllowsTheConfiguration {
        private static final String RULE = "specificationAllowsTheConfiguration";

        @Test
        void aJobMayRunAsItAskedFor() {
            assertThat(rulesBrokenBy(cluster().job(job("a").slots(2)).build(), TWO_SLOTS))
                    .isEmpty();
        }

        @Test
        void notOnAnotherNumberOfSlots() {
            assertThat(rulesBrokenBy(cluster().job(job("a").slots(1)).build(), TWO_SLOTS))
                    .containsExactly(RULE);
            assertThat(rulesBrokenBy(cluster().job(job("a").slots(3, 4)).build(), TWO_SLOTS))
                    .containsExactly(RULE);
        }

        @Test
        void notOnATypeItDoesNotAllow() {
            RoundProblem problem =
                    cluster().job(job("a").slots(2).types("V100")).build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void notInAPoolItDoesNotAllow() {
            RoundProblem problem =
                    cluster().job(job("a").slots(2).pools("side")).build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void notOnMoreNodesThanItAllows() {
            Allocation spread = allocation(1000, piece("n1", 0, 1), piece("n2", 0, 1));

            assertThat(rulesBrokenBy(
                            cluster().job(job("a").slots(2).maxNodes(2)).build(), spread))
                    .isEmpty();
            assertThat(rulesBrokenBy(
                            cluster().job(job("a").slots(2).maxNodes(1)).build(), spread))
                    .containsExactly(RULE);
        }

        @Test
        void notWithABatchOutsideItsLimits() {
            RoundProblem problem = cluster()
                    .job(job("a").slots(2).batch(new BatchLimits(64, 64, 128, 64, Map.of(), true)))
                    .build();

            assertThat(rulesBrokenBy(problem, as(batch(128, 0)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(132, 1)))).containsExactly(RULE);
            assertThat(rulesBrokenBy(problem, as(batch(62, 0)))).containsExactly(RULE);
        }

        @Test
        void notWithABatchThatItsDevicesDoNotShareEqually() {
            RoundProblem problem = cluster()
                    .job(job("a").slots(2).batch(new BatchLimits(64, 64, 128, 64, Map.of(), true)))
                    .build();

            assertThat(rulesBrokenBy(problem, as(batch(70, 0)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(71, 0)))).containsExactly(RULE);
            assertThat(rulesBrokenBy(problem, as(batch(72, 1)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(70, 1)))).containsExactly(RULE);
        }

        @Test
        void notWithAPerDeviceBatchThatIsNoMultipleOfTheStatedNumber() {
            RoundProblem problem = cluster()
                    .job(job("a").slots(2).batch(new BatchLimits(64, 64, 128, 64, Map.of(), true, 8)))
                    .build();

            assertThat(rulesBrokenBy(problem, as(batch(80, 0)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(72, 0)))).containsExactly(RULE);
        }

        @Test
        void notWithAnotherBatchThanTheInitialOneWhileItsEfficiencyIsUnknown() {
            JobFixture job = job("a").slots(2)
                    .batch(new BatchLimits(64, 64, 128, 64, Map.of(), true))
                    .efficiency(StatisticalEfficiency.UNKNOWN);
            RoundProblem problem = cluster().job(job).build();

            assertThat(rulesBrokenBy(problem, as(batch(64, 0)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(128, 0)))).containsExactly(RULE);
        }

        @Test
        void notWithFewerPassesThanTheMemoryOfItsDevicesNeeds() {
            RoundProblem problem = cluster()
                    .job(job("a").slots(2).batch(new BatchLimits(64, 64, 64, 16, Map.of(), true)))
                    .build();

            assertThat(rulesBrokenBy(problem, as(batch(64, 1)))).isEmpty();
            assertThat(rulesBrokenBy(problem, as(batch(64, 0)))).containsExactly(RULE);
        }

        @Test
        void notWithAStrategyItDoesNotAllow() {
            Allocation servers = served(1000, piece("n1", 0, 2), "n1", 1);

            assertThat(rulesBrokenBy(cluster().job(job("a").slots(2).served(1)).build(), servers))
                    .isEmpty();
            assertThat(rulesBrokenBy(cluster().job(job("a").slots(2).served(2)).build(), servers))
                    .containsExactly(RULE);
            assertThat(rulesBrokenBy(cluster().job(job("a").slots(2)).build(), servers))
                    .containsExactly(RULE);
        }

        @Test
        void notWhereItsProfileSaysThatItDoesNotRun() {
            RoundProblem problem =
                    cluster().job(job("a").slots(2).speeds(100, 0)).build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void whoMayNotBeTouchedKeepsEvenWhatItWouldNotBeGivenToday() {
            RoundProblem problem = cluster()
                    .job(job("a").slots(4).notPreemptible().on("n1", 2))
                    .build();

            assertThat(standStill(problem).brokenRules()).isEmpty();
        }

        private static Configuration batch(int size, int accumulation) {
            return new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, size, accumulation);
        }
    }

    @Nested
    class TheGangIsComplete {
        @Test
        void everyPieceOfTheShapeHasItsDevices() {
            RoundProblem problem = cluster().job(job("a").slots(3)).build();
            Configuration twoAndOne = configuration(List.of(2, 1));

            assertThat(rulesBrokenBy(
                            problem,
                            new Allocation(twoAndOne, List.of(piece("n1", 0, 1), piece("n2", 0, 2)), List.of(), 1000)))
                    .isEmpty();
            assertThat(rulesBrokenBy(problem, new Allocation(twoAndOne, List.of(piece("n1", 0, 2)), List.of(), 1000)))
                    .containsExactly("gangIsComplete");
            assertThat(rulesBrokenBy(problem, new Allocation(twoAndOne, List.of(piece("n1", 0, 3)), List.of(), 1000)))
                    .containsExactly("gangIsComplete");
        }
    }

    @Nested
    class NodesAreOfThePoolAndType {
        private static final String RULE = "nodesMatchPoolAndType";

        @Test
        void aNodeOfAnotherPoolIsRefused() {
            RoundProblem problem = problem()
                    .node(node("n1", 4).pool("side"))
                    .job(job("a").slots(2))
                    .build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void aNodeOfAnotherTypeIsRefused() {
            RoundProblem problem = problem()
                    .node(node("n1", 4).type("V100"))
                    .job(job("a").slots(2))
                    .build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void anUnknownNodeIsRefused() {
            RoundProblem problem =
                    problem().node("other", 4).job(job("a").slots(2)).build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).contains(RULE);
        }
    }

    @Nested
    class NodesAreOpenToTheJob {
        private static final String RULE = "nodesAdmitTheJob";

        @ParameterizedTest
        @EnumSource(
                value = NodeState.class,
                names = {"CORDONED", "DRAINING", "LOST"})
        void nothingNewComesToANodeThatIsNotActive(NodeState state) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).state(state))
                    .job(job("a").slots(2))
                    .build();

            assertThat(rulesBrokenBy(problem, TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void jobsStayOnACordonedNodeButLeaveADrainingOne() {
            assertThat(standStill(holding(NodeState.CORDONED)).brokenRules()).isEmpty();
            assertThat(standStill(holding(NodeState.DRAINING)).brokenRules()).containsExactly(RULE);
        }

        @Test
        void aReservationKeepsOthersOff() {
            assertThat(rulesBrokenBy(reserved("x", 0, 2000), TWO_SLOTS)).containsExactly(RULE);
            assertThat(rulesBrokenBy(reserved(null, 0, 2000), TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void aReservationLetsItsTenantAndThoseBelowIn() {
            assertThat(rulesBrokenBy(reserved("root", 0, 2000), TWO_SLOTS)).isEmpty();
        }

        @Test
        void aReservationCountsOnlyDuringItsTime() {
            assertThat(rulesBrokenBy(reserved("x", 0, 1000), TWO_SLOTS)).isEmpty();
            assertThat(rulesBrokenBy(reserved("x", 1001, 2000), TWO_SLOTS)).isEmpty();
            assertThat(rulesBrokenBy(reserved("x", 1000, 2000), TWO_SLOTS)).containsExactly(RULE);
        }

        @Test
        void jobsLeaveANodeThatIsReservedForOthersUnlessTheyMayNotBeTouched() {
            RoundProblem reserved = reserved("x", 0, 2000);

            assertThat(standStill(reserved.withJobs(
                                    List.of(job("a").slots(2).on("n1", 2).build())))
                            .brokenRules())
                    .containsExactly(RULE);
            assertThat(standStill(reserved.withJobs(List.of(job("a").slots(2)
                                    .on("n1", 2)
                                    .notPreemptible()
                                    .build())))
                            .brokenRules())
                    .isEmpty();
        }

        private static RoundProblem holding(NodeState state) {
            return problem()
                    .node(node("n1", 4).state(state))
                    .job(job("a").slots(2).on("n1", 2))
                    .build();
        }

        private static RoundProblem reserved(String tenant, double start, double end) {
            return cluster()
                    .tenant("below", "root", null)
                    .tenant("x", null, null)
                    .reservation(new Reservation("r", List.of("n1"), tenant, start, end))
                    .job(job("a").slots(2).tenant("below"))
                    .build();
        }
    }

    @Nested
    class WholeNodesWhereThePoolDemandsThem {
        private static final String RULE = "wholeNodesWhereThePoolRequiresThem";

        @Test
        void aJobOnSeveralNodesTakesEachOfThemWhole() {
            RoundProblem problem =
                    cluster().wholeNodes().job(job("a").slots(6, 8)).build();

            assertThat(rulesBrokenBy(problem, allocation(1000, piece("n1", 0, 4), piece("n2", 0, 4))))
                    .isEmpty();
            assertThat(rulesBrokenBy(problem, allocation(1000, piece("n1", 0, 4), piece("n2", 0, 2))))
                    .containsExactly(RULE);
        }

        @Test
        void aJobOnOneNodeMayTakeAPartOfIt() {
            assertThat(rulesBrokenBy(
                            cluster().wholeNodes().job(job("a").slots(2)).build(), TWO_SLOTS))
                    .isEmpty();
        }

        @Test
        void otherPoolsDoNotDemandThem() {
            RoundProblem problem = cluster().job(job("a").slots(6)).build();

            assertThat(rulesBrokenBy(problem, allocation(1000, piece("n1", 0, 4), piece("n2", 0, 2))))
                    .isEmpty();
        }
    }

    @Nested
    class AggregationIsComplete {
        private static final String RULE = "aggregationIsComplete";

        @Test
        void sharesAddUpToWhatTheConfigurationSays() {
            RoundProblem problem = cluster().job(job("a").slots(2).served(1.5)).build();

            assertThat(rulesBrokenBy(problem, shares(share("n1", 1), share("n2", 0.5))))
                    .isEmpty();
            assertThat(rulesBrokenBy(problem, shares(share("n1", 1), share("n2", 0.499))))
                    .containsExactly(RULE);
            assertThat(rulesBrokenBy(problem, shares(share("n1", 1), share("n2", 0.501))))
                    .containsExactly(RULE);
        }

        @Test
        void sharesAreInThePoolOfTheJob() {
            RoundProblem problem = cluster()
                    .node(node("s", 0).pool("side"))
                    .job(job("a").slots(2).served(1.5))
                    .build();

            assertThat(rulesBrokenBy(problem, shares(share("s", 1.5)))).containsExactly(RULE);
        }

        @Test
        void sharesAreOnKnownNodes() {
            RoundProblem problem = cluster().job(job("a").slots(2).served(1.5)).build();

            assertThat(rulesBrokenBy(problem, shares(share("nowhere", 1.5)))).contains(RULE);
        }

        private static Allocation shares(AggregationShare... shares) {
            Configuration configuration =
                    new Configuration("main", "A100", List.of(2), SyncStrategy.PARAMETER_SERVER, 1.5, 64, 0);
            return new Allocation(configuration, TWO_SLOTS.placement(), List.of(shares), 1000);
        }

        private static AggregationShare share(String node, double slots) {
            return new AggregationShare(node, slots);
        }
    }
}

package dev.spur.model.job;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.NodeTerms;
import dev.spur.model.utility.Utility;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChangeMechanismTest {
    private static final Allocation HELD = allocation(0, piece("n1", 0, 2));

    private static JobFixture elastic() {
        return job("a").slots(1, 4)
                .batch(new BatchLimits(64, 32, 512, 512, Map.of(), true))
                .efficiency(StatisticalEfficiency.ofNoiseScale(1000))
                .restartPenalty(40)
                .holding(HELD)
                .revenue(100);
    }

    private static Allocation withBatch(Allocation allocation, int batch) {
        return allocation.withConfiguration(allocation.configuration().withBatch(batch, 0));
    }

    private static Allocation withAggregators(Allocation allocation) {
        Configuration own = allocation.configuration();
        return allocation.withConfiguration(new Configuration(
                own.pool(),
                own.acceleratorType(),
                own.shape(),
                SyncStrategy.PARAMETER_SERVER,
                1,
                own.batchSize(),
                own.accumulationSteps()));
    }

    private static final Allocation OTHER_BATCH =
            withBatch(HELD, 2 * HELD.configuration().batchSize());

    @Nested
    class ChangeTo {
        @Test
        void isUnchangedOnTheSameDevicesWithTheSameBatchSize() {
            assertThat(elastic().build().changeTo(allocation(900, piece("n1", 0, 2))))
                    .isEqualTo(ChangeMechanism.UNCHANGED);
        }

        @Test
        void anotherBatchSizeIsARestartUnlessTheJobReconfigures() {
            assertThat(elastic().build().changeTo(OTHER_BATCH)).isEqualTo(ChangeMechanism.RESTART);
            assertThat(elastic().reconfigures(0.5).build().changeTo(OTHER_BATCH))
                    .isEqualTo(ChangeMechanism.RECONFIGURE);
        }

        @Test
        void otherDevicesAndOtherNumbersOfSlotsAreARestart() {
            Job job = elastic().reconfigures(0.5).build();

            assertThat(job.changeTo(withBatch(allocation(900, piece("n1", 1, 2)), 256)))
                    .isEqualTo(ChangeMechanism.RESTART);
            assertThat(job.changeTo(allocation(900, piece("n1", 0, 3)))).isEqualTo(ChangeMechanism.RESTART);
        }

        @Test
        void isARescaleWhereTheDeviceOfRankZeroStays() {
            Job job = elastic().rescales(5).build();

            assertThat(job.changeTo(allocation(900, piece("n1", 0, 3)))).isEqualTo(ChangeMechanism.RESCALE);
            assertThat(job.changeTo(allocation(900, piece("n1", 0, 1)))).isEqualTo(ChangeMechanism.RESCALE);
            assertThat(job.changeTo(withBatch(allocation(900, piece("n1", 0, 4)), 256)))
                    .isEqualTo(ChangeMechanism.RESCALE);
        }

        @Test
        void isARescaleToAndFromSeveralNodes() {
            Allocation onTwo = allocation(0, piece("n1", 0, 2), piece("n2", 0, 2));

            assertThat(elastic().rescales(5).build().changeTo(onTwo)).isEqualTo(ChangeMechanism.RESCALE);
            Job job = elastic().rescales(5).holding(onTwo).build();
            assertThat(job.changeTo(HELD)).isEqualTo(ChangeMechanism.RESCALE);
            assertThat(job.changeTo(allocation(900, piece("n3", 0, 2), piece("n1", 0, 1))))
                    .isEqualTo(ChangeMechanism.RESCALE);
            assertThat(job.changeTo(allocation(900, piece("n2", 0, 2))))
                    .as("other ranks stay, but not rank 0")
                    .isEqualTo(ChangeMechanism.RESTART);
            assertThat(job.changeTo(allocation(900, piece("n1", 1, 1), piece("n2", 0, 2))))
                    .isEqualTo(ChangeMechanism.RESTART);
        }

        @Test
        void isARestartWithoutTheDeviceOfRankZeroWithAggregatorsOrWithoutSupport() {
            Job job = elastic().rescales(5).build();

            assertThat(job.changeTo(allocation(900, piece("n1", 1, 2)))).isEqualTo(ChangeMechanism.RESTART);
            assertThat(job.changeTo(allocation(900, piece("n2", 0, 3)))).isEqualTo(ChangeMechanism.RESTART);
            assertThat(job.changeTo(withAggregators(allocation(900, piece("n1", 0, 3)))))
                    .isEqualTo(ChangeMechanism.RESTART);
            assertThat(elastic().reconfigures(0.5).build().changeTo(allocation(900, piece("n1", 0, 3))))
                    .isEqualTo(ChangeMechanism.RESTART);
        }

        @Test
        void isARescaleOfAJobWithADeadline() {
            Job job =
                    elastic().rescales(5).deadline(1e6, DeadlineStatus.PENDING).build();

            assertThat(job.changeTo(allocation(900, piece("n1", 0, 3)))).isEqualTo(ChangeMechanism.RESCALE);
        }

        @Test
        void isAMigrationToDevicesThatTheJobDoesNotHold() {
            Job job = elastic().migrates(5).build();

            assertThat(job.changeTo(allocation(900, piece("n2", 0, 3)))).isEqualTo(ChangeMechanism.MIGRATE);
            assertThat(job.changeTo(allocation(900, piece("n1", 2, 1), piece("n2", 0, 1))))
                    .isEqualTo(ChangeMechanism.MIGRATE);
            assertThat(job.changeTo(allocation(900, piece("n1", 1, 1), piece("n2", 0, 1))))
                    .isEqualTo(ChangeMechanism.RESTART);
            assertThat(elastic().rescales(5).build().changeTo(allocation(900, piece("n2", 0, 3))))
                    .isEqualTo(ChangeMechanism.RESTART);
            assertThat(ChangeMechanism.MIGRATE.keepsGeneration()).isFalse();
        }

        @Test
        void isARestartWhereThatIsFaster() {
            Job job = elastic().reconfigures(41).build();

            assertThat(job.changeTo(OTHER_BATCH)).isEqualTo(ChangeMechanism.RESTART);
            assertThat(elastic().rescales(40).build().changeTo(allocation(900, piece("n1", 0, 3))))
                    .isEqualTo(ChangeMechanism.RESCALE);
            assertThat(elastic().rescales(41).build().changeTo(allocation(900, piece("n1", 0, 3))))
                    .isEqualTo(ChangeMechanism.RESTART);
        }

        @Test
        void nodesOfRanksThatStayComeFirstAndEachRankHasItsFormerOne() {
            Allocation heldAllocation = allocation(0, piece("n2", 1, 1), piece("n1", 0, 2));

            Allocation ranked = allocation(900, piece("n3", 0, 2), piece("n1", 0, 2), piece("n2", 0, 2))
                    .inRankOrderOf(heldAllocation);

            assertThat(ranked.placement()).extracting(NodeShare::node).containsExactly("n2", "n1", "n3");
            assertThat(ranked.ranksIn(heldAllocation)).containsExactly(0, null, 1, 2, null, null);
        }

        @Test
        void ranksThatStayComeFirstInTheirOrder() {
            Allocation heldAllocation = allocation(0, piece("n1", 1, 3));

            Allocation ranked = allocation(900, piece("n1", 0, 3)).inRankOrderOf(heldAllocation);

            List<String> before = heldAllocation.placement().get(0).devices();
            assertThat(ranked.placement().get(0).devices())
                    .startsWith(before.get(0), before.get(1))
                    .doesNotContain(before.get(2))
                    .hasSize(3);
        }

        @Test
        void anotherHostGrantIsARestartForAJobThatReadsItsResourcesAtTheStart() {
            Allocation granted = HELD.withHost(new HostGrant(1, 8));
            HostSensitivity levels = new HostSensitivity(List.of(new HostLevel(0, 0, 1), new HostLevel(1, 8, 1.5)));
            JobSpec live = elastic()
                    .levels(new HostLevel(0, 0, 1), new HostLevel(1, 8, 1.5))
                    .spec();
            JobSpec fixed = live.edit().host(live.host(), levels.atStart()).build();

            assertThat(live.change(HELD, granted)).isEqualTo(ChangeMechanism.UNCHANGED);
            assertThat(fixed.change(HELD, granted)).isEqualTo(ChangeMechanism.RESTART);
            assertThat(fixed.change(HELD, HELD)).isEqualTo(ChangeMechanism.UNCHANGED);
        }

        @Test
        void aStartIsARestart() {
            assertThat(job("a").slots(2).reconfigures(0.5).build().changeTo(HELD))
                    .isEqualTo(ChangeMechanism.RESTART);
        }
    }

    @Nested
    class Adopt {
        private static final double NOW = 5000;

        @Test
        void anUnchangedAllocationKeepsItsStart() {
            assertThat(ChangeMechanism.UNCHANGED.adopt(HELD, allocation(900, piece("n1", 0, 2)), NOW))
                    .isEqualTo(HELD);
        }

        @Test
        void anotherHostGrantKeepsItsStart() {
            Allocation granted = allocation(900, piece("n1", 0, 2)).withHost(new HostGrant(1, 8));

            assertThat(ChangeMechanism.UNCHANGED.adopt(HELD, granted, NOW))
                    .isEqualTo(HELD.withHost(new HostGrant(1, 8)));
        }

        @Test
        void anotherBatchSizeKeepsItOnlyWithoutARestart() {
            assertThat(ChangeMechanism.RECONFIGURE.adopt(HELD, OTHER_BATCH, NOW).since())
                    .isEqualTo(HELD.since());
            assertThat(ChangeMechanism.RESTART.adopt(HELD, OTHER_BATCH, NOW).since())
                    .isEqualTo(NOW);
        }

        @Test
        void changedRanksBeginNowAndKeepTheirOrder() {
            Allocation heldAllocation = allocation(0, piece("n1", 1, 2));

            Allocation adopted = ChangeMechanism.RESCALE.adopt(heldAllocation, allocation(900, piece("n1", 0, 3)), NOW);

            assertThat(adopted.since()).isEqualTo(NOW);
            assertThat(adopted.placement().get(0).devices())
                    .startsWith(heldAllocation.placement().get(0).devices().get(0));
        }

        @Test
        void aStartBeginsNow() {
            assertThat(ChangeMechanism.RESTART.adopt(null, HELD, NOW).since()).isEqualTo(NOW);
        }
    }

    @Nested
    class Stall {
        @Test
        void isStatedByMechanism() {
            JobSpec spec = elastic().reconfigures(0.5).spec();

            assertThat(spec.stallSeconds(ChangeMechanism.UNCHANGED)).isZero();
            assertThat(spec.stallSeconds(ChangeMechanism.RECONFIGURE)).isEqualTo(0.5);
            assertThat(spec.stallSeconds(ChangeMechanism.RESTART)).isEqualTo(40);
        }

        @Test
        void isUnknownForAMechanismThatTheJobDoesNotSupport() {
            assertThatThrownBy(() -> elastic().spec().stallSeconds(ChangeMechanism.RECONFIGURE))
                    .hasMessageContaining("does not support RECONFIGURE");
        }

        @Test
        void isNotNegative() {
            assertThatThrownBy(() -> new ChangeCosts(-1.0, null, null)).hasMessageContaining("reconfigureSeconds");
            assertThatThrownBy(() -> new ChangeCosts(null, -1.0, null)).hasMessageContaining("rescaleSeconds");
            assertThatThrownBy(() -> new ChangeCosts(null, null, -1.0)).hasMessageContaining("migrateSeconds");
        }

        @Test
        void comesAfterTheRestOfAnEarlierRestart() {
            Job job = elastic().reconfigures(0.5).build();

            assertThat(job.secondsToProgress(OTHER_BATCH, 10)).isCloseTo(30.5, within(1e-9));
            assertThat(job.secondsToProgress(HELD, 10)).isCloseTo(30, within(1e-9));
            assertThat(job.secondsToProgress(allocation(10, piece("n1", 1, 2)), 10))
                    .isCloseTo(40, within(1e-9));
        }

        @Test
        void ofAMoveIsNoLimitOfItsTimeToProgress() {
            Job job = elastic().migrates(0.5).build();
            Allocation elsewhere = allocation(10, piece("n2", 0, 1));

            assertThat(job.changeTo(elsewhere)).isEqualTo(ChangeMechanism.MIGRATE);
            assertThat(job.secondsToProgress(elsewhere, 10))
                    .as("if its warm-up fails")
                    .isCloseTo(40, within(1e-9));
        }
    }

    @Nested
    class UtilityOfAChange {
        @ParameterizedTest
        @EnumSource(ObjectiveKind.class)
        void isBetweenThatOfARestartAndThatOfNoChange(ObjectiveKind kind) {
            double restart = utility(kind, 10, ChangeMechanism.RESTART);
            double reconfigure = utility(kind, 10, ChangeMechanism.RECONFIGURE);
            double unchanged = utility(kind, 10, ChangeMechanism.UNCHANGED);

            assertThat(reconfigure).isGreaterThan(restart).isLessThan(unchanged);
        }

        @ParameterizedTest
        @EnumSource(ObjectiveKind.class)
        void withoutAStallIsThatOfNoChange(ObjectiveKind kind) {
            assertThat(utility(kind, 0, ChangeMechanism.RECONFIGURE))
                    .isCloseTo(utility(kind, 0, ChangeMechanism.UNCHANGED), within(1e-12));
        }

        @ParameterizedTest
        @EnumSource(ObjectiveKind.class)
        void ofAMoveIsThatOfItsStall(ObjectiveKind kind) {
            assertThat(utility(kind, elastic().migrates(10), ChangeMechanism.MIGRATE))
                    .isCloseTo(utility(kind, elastic().reconfigures(10), ChangeMechanism.RECONFIGURE), within(1e-12));
        }

        @ParameterizedTest
        @EnumSource(names = {"COMPLETION_TIME", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE"})
        void ofAMoveCountsEarlierRestartsLikeARestart(ObjectiveKind kind) {
            double move = utility(kind, elastic().restarts(2).migrates(10), ChangeMechanism.MIGRATE);

            assertThat(move)
                    .isLessThan(utility(kind, 10, ChangeMechanism.RECONFIGURE))
                    .isGreaterThan(utility(kind, 10, ChangeMechanism.RESTART));
        }

        private static double utility(ObjectiveKind kind, double stall, ChangeMechanism change) {
            return utility(kind, elastic().restarts(2).reconfigures(stall), change);
        }

        private static double utility(ObjectiveKind kind, JobFixture job, ChangeMechanism change) {
            RoundProblem problem = problem().nodes(8).objective(kind).job(job).build();
            return new Utility(problem)
                    .of(problem.jobs().get(0))
                    .of(OTHER_BATCH.configuration(), 150, change, NodeTerms.ofPrice(0));
        }
    }

    @Nested
    class Validation {
        @Test
        void aReconfigurationIsNoRestart() {
            assertThat(standStill(limited(elastic().reconfigures(0.5)))
                            .run("a", OTHER_BATCH)
                            .brokenRules())
                    .isEmpty();
            assertThat(standStill(limited(elastic())).run("a", OTHER_BATCH).brokenRules())
                    .containsExactly("restartsStayWithinTheLimit");
        }

        @Test
        void aChangeOfRanksOnTwoNodesCountsAsARestartAndPaysItsOwnStall() {
            Allocation onTwo = allocation(1000, piece("n1", 0, 4), piece("n2", 0, 4));
            JobFixture job = elastic().slots(1, 8).rescales(5);

            assertThat(standStill(problem().nodes(4, 4).maxRestarts(0).job(job).build())
                            .run("a", onTwo)
                            .brokenRules())
                    .containsExactly("restartsStayWithinTheLimit");
            assertThat(standStill(problem().nodes(4, 4).job(job).build())
                            .run("a", onTwo)
                            .brokenRules())
                    .isEmpty();
            assertThat(objective(elastic().slots(1, 8), onTwo)).isLessThan(objective(job, onTwo));
        }

        private static double objective(JobFixture job, Allocation allocation) {
            return standStill(problem().nodes(4, 4).job(job).build())
                    .run("a", allocation)
                    .build()
                    .quality()
                    .objectiveValue();
        }

        @Test
        void aPinnedJobKeepsItsBatchSize() {
            JobFixture pinned = elastic().reconfigures(0.5).notPreemptible();

            assertThat(standStill(problem().nodes(4).job(pinned).build())
                            .run("a", OTHER_BATCH)
                            .brokenRules())
                    .containsExactly("protectedJobsKeepTheirAllocation");
        }

        private static RoundProblem limited(JobFixture job) {
            ProblemFixture fixture = problem().nodes(4).maxRestarts(0);
            return fixture.job(job).build();
        }
    }
}

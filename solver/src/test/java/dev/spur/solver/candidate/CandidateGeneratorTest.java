package dev.spur.solver.candidate;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Synchronization;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CandidateGeneratorTest {
    private static JobCandidates candidates(ProblemFixture fixture) {
        return CandidateGenerator.generate(fixture.build()).of(0);
    }

    private static List<List<Integer>> shapes(ProblemFixture fixture) {
        return candidates(fixture).freshCandidates().stream()
                .map(candidate -> candidate.configuration().shape())
                .toList();
    }

    @Nested
    class Shapes {
        @Test
        void everyAllowedCountIsOfferedOnTheFewestNodes() {
            assertThat(shapes(problem().nodes(4, 4).job(job("a").slots(1, 99))))
                    .containsExactly(
                            List.of(1),
                            List.of(2),
                            List.of(3),
                            List.of(4),
                            List.of(4, 1),
                            List.of(4, 2),
                            List.of(4, 3),
                            List.of(4, 4));
        }

        @Test
        void asManyDevicesAsSumGradientsAmongThemselvesAreOffered() {
            AcceleratorType slices = new AcceleratorType("A100", 20, 1);
            JobFixture served = job("a").slots(1, 3).served(1);

            assertThat(shapes(problem().types(slices).nodes(4).job(job("a").slots(1, 4))))
                    .containsExactly(List.of(1));
            assertThat(candidates(problem().types(slices).nodes(4).job(job("a").slots(2, 4)))
                            .reason())
                    .isEqualTo(NoCandidateReason.UNSATISFIABLE);
            assertThat(shapes(problem().types(slices).nodes(4).job(served)))
                    .as("with an aggregator")
                    .isEqualTo(shapes(problem().nodes(4).job(served)))
                    .contains(List.of(3));
        }

        @Test
        void whoHoldsMoreThanSumGradientsAmongThemselvesDoesNotStay() {
            ProblemFixture running =
                    problem().now(9000).nodes(4).job(job("a").slots(1, 2).on("n1", 2));
            assertThat(candidates(running).retainedCandidate()).isNotNull();

            assertThat(candidates(running.types(new AcceleratorType("A100", 20, 1)))
                            .retainedCandidate())
                    .isNull();
        }

        @Test
        void onlyPowersOfTwoOrStatedCountsIfThatIsAsked() {
            assertThat(shapes(problem().nodes(8).job(job("a").slots(1, 8).powersOfTwo())))
                    .containsExactly(List.of(1), List.of(2), List.of(4), List.of(8));
            assertThat(shapes(problem().nodes(8).job(job("a").slots(2, 8).allowedCounts(1, 3, 7))))
                    .containsExactly(List.of(3), List.of(7));
        }

        @Test
        void spreadsAreOfferedAsTheyWereMeasured() {
            JobFixture measured = job("a").slots(4)
                    .speed("A100", 4, 1, 400)
                    .speed("A100", 4, 2, 380)
                    .speed("A100", 4, 3, 370);

            assertThat(shapes(problem().nodes(4, 4, 4).job(measured)))
                    .containsExactly(List.of(4), List.of(2, 2), List.of(2, 1, 1));
            assertThat(shapes(problem().nodes(4, 4).job(measured))).containsExactly(List.of(4), List.of(2, 2));
        }

        @Test
        void aSpreadOverMoreNodesIsOfferedOnlyWithinTheLimit() {
            JobFixture measured = job("a").slots(4)
                    .maxNodes(2)
                    .speed("A100", 4, 1, 400)
                    .speed("A100", 4, 2, 380)
                    .speed("A100", 4, 3, 370);

            assertThat(shapes(problem().nodes(4, 4, 4).job(measured))).containsExactly(List.of(4), List.of(2, 2));
            assertThat(shapes(problem().nodes(2, 2, 2).job(job("b").slots(5, 6).maxNodes(2))))
                    .isEmpty();
        }

        @Test
        void aConsolidatedJobIsOfferedTheFewestNodesAlone() {
            JobFixture measured =
                    job("a").slots(4).consolidate().speed("A100", 4, 1, 400).speed("A100", 4, 2, 380);

            assertThat(shapes(problem().nodes(4, 4).job(measured))).containsExactly(List.of(4));
        }

        @Test
        void severalNodesAreOfferedWholeWhereThePoolDemandsThat() {
            JobFixture measured = job("a").slots(1, 8)
                    .speed("A100", 1, 1, 100)
                    .speed("A100", 4, 2, 390)
                    .speed("A100", 8, 2, 800);

            assertThat(shapes(problem().wholeNodes().nodes(4, 4).job(measured)))
                    .containsExactly(List.of(1), List.of(2), List.of(3), List.of(4), List.of(4, 4));
        }

        @Test
        void nodesOfDifferentSizesAreOfferedTogether() {
            assertThat(shapes(problem().nodes(4, 2).job(job("a").slots(4, 6))))
                    .containsExactly(List.of(4), List.of(4, 1), List.of(4, 2));
        }
    }

    @Nested
    class Hardware {
        @Test
        void onlyTypesThatTheJobAllowsAndKnows() {
            ProblemFixture both = problem()
                    .nodes(1)
                    .node(node("v", 1).type("V100"))
                    .job(job("a").speedsOn("A100", 100).speedsOn("V100", 40));

            assertThat(candidates(both).freshCandidates())
                    .extracting(candidate -> candidate.configuration().acceleratorType())
                    .containsExactly("A100", "V100");
            ProblemFixture one = problem()
                    .nodes(1)
                    .node(node("v", 1).type("V100"))
                    .job(job("a").types("V100").speedsOn("A100", 100).speedsOn("V100", 40));
            assertThat(candidates(one).freshCandidates())
                    .extracting(candidate -> candidate.configuration().acceleratorType())
                    .containsExactly("V100");
        }

        @Test
        void onlyPoolsThatTheJobAllows() {
            ProblemFixture both =
                    problem().nodes(1).node(node("s", 1).pool("side")).job(job("a").pools("side"));

            assertThat(candidates(both).freshCandidates())
                    .extracting(candidate -> candidate.configuration().pool())
                    .containsExactly("side");
        }

        @ParameterizedTest
        @EnumSource(
                value = NodeState.class,
                names = {"CORDONED", "DRAINING", "LOST"})
        void nothingNewOnNodesThatAreNotActive(NodeState state) {
            assertThat(shapes(
                            problem().nodes(2).node(node("n2", 4).state(state)).job(job("a").slots(1, 4))))
                    .containsExactly(List.of(1), List.of(2));
        }

        @Test
        void nothingOnNodesThatAreReservedForOthers() {
            Reservation forX = new Reservation("r", List.of("n2"), "x", 0, 2000);
            ProblemFixture reserved =
                    problem().nodes(2, 4).tenant("x", null, null).tenant("xa", "x", null);

            assertThat(shapes(reserved.reservation(forX).job(job("a").slots(1, 4))))
                    .containsExactly(List.of(1), List.of(2));
            assertThat(shapes(problem()
                            .nodes(2, 4)
                            .tenant("x", null, null)
                            .tenant("xa", "x", null)
                            .reservation(forX)
                            .job(job("a").tenant("xa").slots(3, 4))))
                    .containsExactly(List.of(3), List.of(4));
        }

        @Test
        void noneOnNodesReservedForNoTenant() {
            Reservation maintenance = new Reservation("r", List.of("n2"), null, 0, 2000);

            assertThat(shapes(problem().nodes(2, 4).reservation(maintenance).job(job("a").slots(1, 4))))
                    .containsExactly(List.of(1), List.of(2));
        }

        @Test
        void onlyPiecesThatAHostCouldFeed() {
            assertThat(shapes(problem()
                            .node(node("n1", 8).cpus(16).memory(100))
                            .job(job("a").slots(1, 8).host(4, 0))))
                    .containsExactly(List.of(1), List.of(2), List.of(3), List.of(4));
            assertThat(shapes(problem()
                            .node(node("n1", 8).cpus(16).memory(100))
                            .job(job("a").slots(1, 8).host(0, 50))))
                    .containsExactly(List.of(1), List.of(2));
        }

        /** Three times 1.6 is more than 4.8 in floating point. */
        @Test
        void piecesThatNeedExactlyTheCpusOfAHost() {
            assertThat(shapes(problem()
                            .node(node("n1", 4).cpus(4.8))
                            .job(job("a").slots(3).host(1.6, 0))))
                    .containsExactly(List.of(3));
        }
    }

    @Nested
    class Aggregation {
        private static List<Double> steps(ProblemFixture fixture) {
            return candidates(fixture).freshCandidates().stream()
                    .map(candidate -> candidate.configuration().aggregationSlots())
                    .toList();
        }

        /** Faster with every bit of aggregation, measured at 1.5 and 40. */
        private static JobFixture served(double min, double max) {
            return job("a").synchronization(new Synchronization(false, true, min, max))
                    .servedSpeed(1, 1.5, 10)
                    .servedSpeed(1, 40, 200);
        }

        @Test
        void wholeNumbersTheEndsAndWhatWasMeasuredAreOffered() {
            assertThat(steps(problem().nodes(1).job(served(0.5, 3.5)))).containsExactly(0.5, 1.0, 1.5, 2.0, 3.0, 3.5);
        }

        @Test
        void thePoolLimitsThem() {
            assertThat(steps(problem().node(node("n1", 1).aggregation(2.25)).job(served(0.5, 3.5))))
                    .containsExactly(0.5, 1.0, 1.5, 2.0, 2.25);
        }

        @Test
        void aWideRangeIsOfferedAtItsEndsAndWhereItWasMeasured() {
            assertThat(steps(problem()
                            .node(node("n1", 1).cpus(100).aggregation(100))
                            .job(served(1, 50))))
                    .containsExactly(1.0, 1.5, 40.0);
        }

        @Test
        void allReduceNeedsNone() {
            JobFixture both = job("a").synchronization(new Synchronization(true, true, 1, 1))
                    .speeds(100)
                    .servedSpeed(1, 1, 150);

            assertThat(steps(problem().nodes(1).job(both))).containsExactly(0.0, 1.0);
        }
    }

    @Nested
    class Worth {
        @Test
        void thereIsOneBatchSizeForEachShapeTheBest() {
            JobFixture elastic = job("a").slots(1, 2)
                    .batch(new BatchLimits(64, 32, 256, 64, Map.of(), false))
                    .efficiency(StatisticalEfficiency.ofNoiseScale(1000))
                    .speeds(100, 190);

            assertThat(candidates(problem().nodes(2).job(elastic)).freshCandidates())
                    .extracting(candidate -> candidate.configuration().batchSize())
                    .containsExactly(64, 64);
        }

        @Test
        void passesAreThoseThatTheMemoryNeeds() {
            JobFixture large = job("a").batch(new BatchLimits(63, 63, 63, 24, Map.of(), true));

            assertThat(candidates(problem().nodes(1).job(large))
                            .freshCandidates()
                            .get(0)
                            .configuration()
                            .accumulationSteps())
                    .isEqualTo(2);
        }

        @Test
        void aStartPaysItsRestartAndThePriceOfItsNodes() {
            Objective priced = new Objective(ObjectiveKind.PROGRESS, 0.5, 1.1, 0.01, List.of(), 1, 0.01);
            ProblemFixture dear =
                    problem().objective(priced).node(node("n1", 1).price(3)).job(job("a").arrival(1000));

            Candidate only = candidates(dear).freshCandidates().get(0);

            assertThat(only.goodput()).isEqualTo(100);
            assertThat(only.utility()).isCloseTo(100 * 1170 / 1e6 - 0.01 * 3 / 3, within(1e-12));
        }
    }

    @Nested
    class WhatIsHeld {
        @Test
        void isKeptWithoutRestartAtThePriceOfItsDearestNode() {
            Objective priced = new Objective(ObjectiveKind.PROGRESS, 0.5, 1.1, 0.01, List.of(), 1, 0.01);
            ProblemFixture held = problem()
                    .objective(priced)
                    .node(node("n1", 1).price(3))
                    .node(node("n2", 1).price(6))
                    .job(job("a").slots(2).holding(allocation(0, piece("n1", 0, 1), piece("n2", 0, 1))));

            Candidate retainedCandidate = candidates(held).retainedCandidate();

            assertThat(retainedCandidate.isRetained()).isTrue();
            assertThat(retainedCandidate.utility())
                    .isCloseTo(3 * 200 * 1200 / 1e6 - 0.01 * (6 + 6) / 3.0, within(1e-12));
        }

        @Test
        void mayStayOnACordonedNodeButNotOnADrainingOne() {
            assertThat(candidates(on(NodeState.CORDONED)).retainedCandidate()).isNotNull();
            assertThat(candidates(on(NodeState.DRAINING)).retainedCandidate()).isNull();
        }

        @Test
        void mayNotStayWhereItIsReservedForOthersOrNoLongerAllowed() {
            Reservation others = new Reservation("r", List.of("n1"), "x", 0, 2000);

            assertThat(candidates(problem()
                                    .nodes(2)
                                    .tenant("x", null, null)
                                    .reservation(others)
                                    .job(job("a").on("n1", 1)))
                            .retainedCandidate())
                    .isNull();
            assertThat(candidates(problem().nodes(2).job(job("a").slots(2).on("n1", 1)))
                            .retainedCandidate())
                    .isNull();
        }

        @Test
        void isAllThereIsForAJobThatMayNotBeTouched() {
            JobCandidates untouchable = candidates(problem()
                    .node(node("n1", 4).state(NodeState.DRAINING))
                    .nodes(4)
                    .job(job("a").slots(2).notPreemptible().on("n1", 1)));

            assertThat(untouchable.pinned()).isTrue();
            assertThat(untouchable.retainedCandidate()).isNotNull();
            assertThat(untouchable.freshCandidates()).isEmpty();
        }

        @Test
        void getsTheBestBatchSizeIfTheJobReconfigures() {
            Candidate retainedCandidate = candidates(
                            problem().nodes(1).job(slowAtItsBatch().reconfigures(1)))
                    .retainedCandidate();

            assertThat(retainedCandidate.isRetained()).isTrue();
            assertThat(retainedCandidate.configuration().batchSize()).isEqualTo(128);
            assertThat(retainedCandidate.utility())
                    .as("one second of the horizon of 1,200 s is lost")
                    .isCloseTo(3 * retainedCandidate.goodput() * 1199 / 1e6, within(1e-12));
        }

        @Test
        void getsAnotherBatchSizeIfThePresentOneDoesNotRun() {
            JobFixture job = slowAtItsBatch()
                    .profile(new ThroughputProfile(
                            List.of(
                                    ProfilePoint.allReduce("A100", 1, 1, 64, 0),
                                    ProfilePoint.allReduce("A100", 1, 1, 128, 100)),
                            List.of()));

            assertThat(candidates(problem().nodes(1).job(job)).retainedCandidate())
                    .isNull();
            JobCandidates reconfigured = candidates(problem().nodes(1).job(job.reconfigures(1)));
            assertThat(reconfigured.retainedCandidate().change()).isEqualTo(ChangeMechanism.RECONFIGURE);
            assertThat(reconfigured.retainedCandidate().configuration().batchSize())
                    .isEqualTo(128);
        }

        @Test
        void keepsItsBatchSizeIfTheStallCostsMoreThanTheGain() {
            assertThat(candidates(problem().nodes(1).job(slowAtItsBatch().reconfigures(1100)))
                            .retainedCandidate()
                            .configuration()
                            .batchSize())
                    .isEqualTo(64);
        }

        @Test
        void keepsItsBatchSizeIfThatNeedsARestartOrTheJobIsPinned() {
            assertThat(candidates(problem().nodes(1).job(slowAtItsBatch()))
                            .retainedCandidate()
                            .configuration()
                            .batchSize())
                    .isEqualTo(64);
            assertThat(candidates(problem()
                                    .nodes(1)
                                    .job(slowAtItsBatch().reconfigures(1).notPreemptible()))
                            .retainedCandidate()
                            .configuration()
                            .batchSize())
                    .isEqualTo(64);
        }

        @Test
        void getsTheBatchSizeOfItsProfilingRunWithoutARestart() {
            assertThat(candidates(problem()
                                    .nodes(1)
                                    .job(slowAtItsBatch().reconfigures(1).profilingTarget(1, 96)))
                            .retainedCandidate()
                            .configuration()
                            .batchSize())
                    .isEqualTo(96);
        }

        @Test
        void getsNoBatchSizeAtWhichItWouldStillRunWhenMaintenanceBegins() {
            // at 100 samples/s it ends in 9,000 s, and with the batch of the profiling run in 18,000 s
            JobFixture job = slowAtItsBatch()
                    .restartPenalty(12_000)
                    .remaining(9e5)
                    .profile(new ThroughputProfile(
                            List.of(
                                    ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                                    ProfilePoint.allReduce("A100", 1, 1, 32, 50)),
                            List.of()))
                    .reconfigures(1)
                    .profilingTarget(1, 32);

            assertThat(keptBatch(problem().nodes(1).now(30_000).job(job))).isEqualTo(32);
            assertThat(keptBatch(problem()
                            .nodes(1)
                            .now(30_000)
                            .maintenance(40_000, 50_000, "n1")
                            .job(job)))
                    .isEqualTo(64);
        }

        private static int keptBatch(ProblemFixture fixture) {
            return candidates(fixture).retainedCandidate().configuration().batchSize();
        }

        /** Holds one slot with a batch of 64, and would be faster with 128. */
        private static JobFixture slowAtItsBatch() {
            return job("a").arrival(0)
                    .batch(new BatchLimits(64, 32, 128, 128, Map.of(), false))
                    .efficiency(StatisticalEfficiency.ofNoiseScale(1e6))
                    .profile(new ThroughputProfile(
                            List.of(
                                    ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                                    ProfilePoint.allReduce("A100", 1, 1, 128, 180)),
                            List.of()))
                    .on("n1", 1);
        }

        private static ProblemFixture on(NodeState state) {
            return problem().node(node("n1", 1).state(state)).job(job("a").on("n1", 1));
        }
    }

    @Nested
    class WhereNothingIsOfferedTheReasonIs {
        private static NoCandidateReason unfit(ProblemFixture fixture) {
            JobCandidates none = candidates(fixture);
            assertThat(none.freshCandidates()).isEmpty();
            return none.reason();
        }

        @Test
        void poolMismatchWithoutNodesOfItsTypesAndPools() {
            assertThat(unfit(problem().nodes(4).job(job("a").types("V100"))))
                    .isEqualTo(NoCandidateReason.NO_MATCHING_NODES);
            assertThat(unfit(problem().nodes(4).job(job("a").pools("side"))))
                    .isEqualTo(NoCandidateReason.NO_MATCHING_NODES);
            assertThat(unfit(problem().nodes(4).job(job("a").speedsOn("V100", 100))))
                    .isEqualTo(NoCandidateReason.NO_MATCHING_NODES);
        }

        @Test
        void neverFitsWithTooFewSlotsNodesOrHosts() {
            assertThat(unfit(problem().nodes(4, 4).job(job("a").slots(9)))).isEqualTo(NoCandidateReason.UNSATISFIABLE);
            assertThat(unfit(problem().nodes(4, 4).job(job("a").slots(5).maxNodes(1))))
                    .isEqualTo(NoCandidateReason.UNSATISFIABLE);
            assertThat(unfit(problem().nodes(4).job(job("a").host(65, 0)))).isEqualTo(NoCandidateReason.UNSATISFIABLE);
        }

        @Test
        void neverFitsWithTooLittleAggregation() {
            assertThat(unfit(problem().node(node("n1", 4).aggregation(1)).job(job("a").served(2))))
                    .isEqualTo(NoCandidateReason.UNSATISFIABLE);
        }

        @Test
        void memoryWhereNoBatchFits() {
            JobFixture large = job("a").slots(1, 2).batch(new BatchLimits(64, 64, 64, 16, Map.of(), false));

            assertThat(unfit(problem().nodes(4).job(large))).isEqualTo(NoCandidateReason.BATCH_EXCEEDS_GPU_MEMORY);
        }

        @Test
        void noGainWhereTheObjectiveRulesAStartOut() {
            JobFixture worn = job("a").slots(1, 2).restarts(40).on("n1", 3);

            assertThat(unfit(problem()
                            .nodes(4)
                            .objective(ObjectiveKind.FAIR_GOODPUT)
                            .job(worn)))
                    .isEqualTo(NoCandidateReason.NO_GAIN);
        }

        @Test
        void noneWhereSomethingIsOffered() {
            assertThat(candidates(problem().nodes(4).job(job("a"))).reason()).isEqualTo(NoCandidateReason.NONE);
        }
    }
}

package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.Enumeration;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.solve.PlacedObjective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacerTest {
    /**
     * Places all jobs: who holds something keeps it, the others start in the last, that is largest, of their
     * candidates.
     */
    private static PlacementResult placeAll(ProblemFixture fixture) {
        CandidateSet candidates = CandidateGenerator.generate(fixture.build());
        return Placer.place(candidates, largestChoice(candidates));
    }

    private static int[] largestChoice(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .map(j ->
                        candidates.retainedCandidate(j) >= 0 ? candidates.retainedCandidate(j) : candidates.end(j) - 1)
                .toArray();
    }

    private static List<String> nodesOf(PlacementResult placement, int j) {
        return placement.allocations().get(j).placement().stream()
                .map(NodeShare::node)
                .toList();
    }

    @Nested
    class ShapesBecomePlaces {
        @Test
        void everyPieceHasDevicesOfANodeOfItsOwn() {
            JobFixture gang = job("a").slots(6).speed("A100", 6, 3, 600);

            Allocation allocation =
                    placeAll(problem().nodes(4, 4, 4).job(gang)).allocations().get(0);

            assertThat(allocation.placement()).extracting(NodeShare::slots).containsExactly(2, 2, 2);
            assertThat(allocation.placement()).extracting(NodeShare::node).doesNotHaveDuplicates();
            assertThat(allocation.since()).isEqualTo(1000);
        }

        @Test
        void largerPiecesComeFirstSoThatSmallOnesAreNotInTheirWay() {
            PlacementResult placement = placeAll(problem()
                    .nodes(4, 4)
                    .jobs(job("a").slots(1), job("b").slots(1), job("c").slots(4), job("d").slots(2)));

            assertThat(placement.unplaced()).isEmpty();
            assertThat(placement.allocations()).hasSize(4);
        }

        @Test
        void theFullestNodeThatHoldsAPieceTakesIt() {
            PlacementResult placement = placeAll(problem()
                    .nodes(4, 4, 4)
                    .jobs(job("k").slots(2).on("n2", 2), job("l").slots(3).on("n3", 3), job("a").slots(2)));

            assertThat(nodesOf(placement, 2)).containsExactly("n2");
        }

        @Test
        void theRackOfTheOtherPiecesIsPreferred() {
            ProblemFixture racks = problem()
                    .node(node("n1", 4).rack("r1"))
                    .node(node("n2", 4).rack("r2"))
                    .node(node("n3", 4).rack("r1"))
                    .job(job("a").slots(8));

            assertThat(nodesOf(placeAll(racks), 0)).containsExactly("n1", "n3");
        }
    }

    @Nested
    class ChangesFindTheirDevices {
        /** A job of 3 slots that holds 2 devices of {@code node} from {@code first} on. */
        private static JobFixture moving(String id, String node, int first) {
            return job(id).slots(3).on(node, first, 2).migrates(1);
        }

        private static List<ChangeMechanism> changes(ProblemFixture fixture, PlacementResult placement) {
            List<Job> jobs = fixture.build().jobs();
            return IntStream.range(0, jobs.size())
                    .mapToObj(j -> jobs.get(j).changeTo(placement.allocations().get(j)))
                    .toList();
        }

        @Test
        void aMoveTakesNoneOfTheDevicesThatItsJobHolds() {
            ProblemFixture one = problem().nodes(6).job(moving("a", "n1", 0));

            assertThat(changes(one, placeAll(one))).containsExactly(ChangeMechanism.MIGRATE);
        }

        @Test
        void otherJobsTakeTheDevicesThatAMoveCannotTake() {
            ProblemFixture one = problem().nodes(6).jobs(job("b").slots(3), moving("a", "n1", 3));

            assertThat(changes(one, placeAll(one))).containsExactly(ChangeMechanism.RESTART, ChangeMechanism.MIGRATE);
        }

        @Test
        void twoMovesMayExchangeTheirNodes() {
            ProblemFixture two = problem().nodes(4, 4).jobs(moving("a", "n1", 0), moving("b", "n2", 0));

            PlacementResult placement = placeAll(two);

            assertThat(changes(two, placement)).containsOnly(ChangeMechanism.MIGRATE);
            assertThat(placement.losses()).isEmpty();
        }

        @Test
        void aKnownNodeIsLeftForOneWithThem() {
            ProblemFixture two = problem().nodes(4, 4).job(moving("a", "n1", 0));
            CandidateSet candidates = CandidateGenerator.generate(two.build());

            PlacementResult placement =
                    Placer.place(candidates, new PartialPlacement(largestChoice(candidates), Map.of(0, List.of(0))));

            assertThat(nodesOf(placement, 0)).containsExactly("n2");
        }

        @Test
        void whereOnlyOneJobFindsThemItIsTheOneThatLosesMost() {
            ProblemFixture scarce = problem()
                    .nodes(4, 4)
                    .jobs(moving("a", "n1", 0), moving("b", "n1", 2).weight(2));
            CandidateSet candidates = CandidateGenerator.generate(scarce.build());

            PlacementResult placement = placeAll(scarce);

            assertThat(changes(scarce, placement)).containsExactly(ChangeMechanism.RESTART, ChangeMechanism.MIGRATE);
            double restarted = new PlacedObjective(candidates)
                    .utility(candidates.job(0), placement.allocations().get(0));
            assertThat(placement.losses()).singleElement().satisfies(loss -> {
                assertThat(loss.candidates()).hasSize(2);
                assertThat(loss.utility())
                        .isCloseTo(candidates.get(candidates.end(0) - 1).utility() - restarted, within(1e-9));
            });
        }

        @Test
        void noneOfThemTakesTheRankZeroOfARescaledJob() {
            ProblemFixture one = problem()
                    .nodes(6)
                    .jobs(job("c").slots(2), job("b").slots(1).on("n1", 0, 2).rescales(1), moving("a", "n1", 2));

            assertThat(changes(one, placeAll(one)))
                    .containsExactly(ChangeMechanism.RESTART, ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE);
        }

        @Test
        void anotherLargerPieceDoesNotPushAMoveBackOntoThem() {
            ProblemFixture two = problem().nodes(4, 4).jobs(moving("a", "n2", 0), job("b").slots(4));

            assertThat(changes(two, placeAll(two))).containsExactly(ChangeMechanism.MIGRATE, ChangeMechanism.RESTART);
        }
    }

    @Nested
    class KeptJobsKeepTheirDevices {
        @Test
        void whateverComes() {
            Allocation heldAllocation = allocation(7, piece("n1", 1, 2));
            PlacementResult placement =
                    placeAll(problem().nodes(4).jobs(job("k").slots(2).holding(heldAllocation), job("a").slots(2)));

            assertThat(placement.allocations().get(0)).isEqualTo(heldAllocation);
            assertThat(placement.allocations().get(1).placement())
                    .containsExactly(new NodeShare("n1", List.of("d0", "d3")));
        }

        @Test
        void aJobThatLandsOnItsOldDevicesInItsOldShapeHasNotRestarted() {
            Allocation heldAllocation = allocation(7, piece("n1", 0, 2));
            CandidateSet candidates = CandidateGenerator.generate(problem()
                    .nodes(2)
                    .job(job("k").slots(2).holding(heldAllocation))
                    .build());
            int fresh = candidates.first(0);

            assertThat(Placer.place(candidates, new int[] {fresh}).allocations().get(0))
                    .isEqualTo(heldAllocation);
        }
    }

    @Nested
    class RankZeroOfARescaledJobStays {
        /** Places each job in its candidate with so many slots, or where it is if it has as many. */
        private static PlacementResult resized(ProblemFixture fixture, int... slots) {
            CandidateSet candidates = CandidateGenerator.generate(fixture.build());
            return Placer.place(candidates, choice(candidates, slots));
        }

        private static int[] choice(CandidateSet candidates, int... slots) {
            return IntStream.range(0, slots.length)
                    .map(j -> IntStream.range(candidates.first(j), candidates.end(j))
                            .filter(c -> candidates.get(c).slots() == slots[j])
                            .boxed()
                            .max(Comparator.comparing(c -> candidates.get(c).isRetained()))
                            .orElseThrow())
                    .toArray();
        }

        private static JobFixture rescaled(String id, NodeShare... held) {
            return job(id).slots(2, 12).rescales(1).holding(allocation(0, held));
        }

        private static List<ChangeMechanism> changes(ProblemFixture fixture, PlacementResult placement) {
            return ChangesFindTheirDevices.changes(fixture, placement);
        }

        @Test
        void whenItGrowsToFurtherNodes() {
            ProblemFixture three = problem().nodes(4, 4, 4).job(rescaled("a", piece("n3", 0, 4)));

            PlacementResult placement = resized(three, 8);

            assertThat(nodesOf(placement, 0)).startsWith("n3").hasSize(2);
            assertThat(changes(three, placement)).containsExactly(ChangeMechanism.RESCALE);
        }

        @Test
        void whenItShrinks() {
            NodeShare first = piece("n3", 0, 4);
            ProblemFixture three = problem().nodes(4, 4, 4).job(rescaled("a", first, piece("n2", 0, 4)));

            PlacementResult placement = resized(three, 4);

            assertThat(placement.allocations().get(0).placement()).containsExactly(first);
            assertThat(changes(three, placement)).containsExactly(ChangeMechanism.RESCALE);
        }

        @Test
        void andThenItsOtherNodesAndDevices() {
            ProblemFixture three = problem()
                    .nodes(4, 4, 4)
                    .job(rescaled("a", piece("n3", 0, 4), piece("n2", 2, 2), piece("n1", 0, 1)));

            assertThat(resized(three, 6).allocations().get(0).placement())
                    .containsExactly(piece("n3", 0, 4), piece("n2", 2, 2));
        }

        @Test
        void butDoesNotTakeTheNodeOfRankZeroOfAnotherJobAsAFurtherOne() {
            ProblemFixture three = problem()
                    .nodes(4, 4, 4)
                    .jobs(rescaled("a", piece("n1", 0, 4), piece("n2", 0, 2)), rescaled("b", piece("n2", 2, 2)));
            CandidateSet candidates = CandidateGenerator.generate(three.build());

            PlacementResult placement =
                    Placer.place(candidates, PartialPlacement.withoutPlaces(choice(candidates, 8, 4)), () -> 0);

            assertThat(nodesOf(placement, 0)).containsExactly("n1", "n3");
            assertThat(nodesOf(placement, 1)).containsExactly("n2");
        }

        @Test
        void withASmallShareWherePinnedJobsLeaveLittleRoom() {
            ProblemFixture two = problem()
                    .nodes(4, 4)
                    .jobs(
                            rescaled("a", piece("n1", 2, 2)),
                            job("p").slots(2).on("n1", 0, 2).notPreemptible());

            PlacementResult placement = resized(two, 6, 2);

            assertThat(placement.allocations().get(0).placement())
                    .containsExactly(piece("n1", 2, 2), piece("n2", 0, 4));
            assertThat(placement.losses()).isEmpty();
        }

        @Test
        void withASmallShareWhereOtherJobsStayToo() {
            ProblemFixture two =
                    problem().nodes(4, 4).jobs(rescaled("a", piece("n1", 0, 1)), rescaled("b", piece("n1", 1, 1)));

            PlacementResult placement = resized(two, 6, 2);

            assertThat(changes(two, placement)).containsOnly(ChangeMechanism.RESCALE);
            assertThat(placement.losses()).isEmpty();
        }

        @Test
        void whereOnlyOneCanItIsThatOfTheJobThatLosesMost() {
            ProblemFixture four = problem()
                    .nodes(4, 4, 4, 4)
                    .jobs(
                            rescaled("a", piece("n1", 0, 2)),
                            rescaled("b", piece("n1", 2, 2)).weight(2));

            PlacementResult placement = resized(four, 8, 8);

            assertThat(changes(four, placement)).containsExactly(ChangeMechanism.RESTART, ChangeMechanism.RESCALE);
            assertThat(placement.losses()).hasSize(1);
        }

        @Test
        void whereAnotherJobTakesTheDeviceOfARankZeroThatLeft() {
            ProblemFixture two = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("a").slots(1)
                                    .rescales(1)
                                    .weight(9)
                                    .holding(allocation(0, new NodeShare("n1", List.of("d0", "d3")))),
                            job("b").slots(4).rescales(1).on("n1", 1, 1),
                            job("c").slots(3));

            assertThat(changes(two, resized(two, 1, 4, 3)))
                    .containsExactly(ChangeMechanism.RESCALE, ChangeMechanism.RESTART, ChangeMechanism.RESTART);
        }

        @Test
        void butMovesMayTakeTheDevicesThatItsOtherRanksLeave() {
            ProblemFixture two = problem()
                    .nodes(4, 4)
                    .jobs(
                            rescaled("a", piece("n1", 0, 4), piece("n2", 0, 1)),
                            job("b").slots(3).migrates(1).on("n2", 1, 1));

            PlacementResult placement = resized(two, 4, 3);

            assertThat(changes(two, placement)).containsExactly(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE);
            assertThat(placement.losses()).isEmpty();
        }

        @Test
        void whenItsNodesAreKnown() {
            ProblemFixture two = problem()
                    .nodes(4, 4)
                    .jobs(
                            rescaled("a", piece("n1", 2, 2)),
                            job("p").slots(2).on("n1", 0, 2).notPreemptible());
            CandidateSet candidates = CandidateGenerator.generate(two.build());
            int[] choice = choice(candidates, 6, 2);
            Allocation placed = Placer.place(candidates, choice).allocations().get(0);
            List<Integer> nodes = PartialPlacement.nodesOf(placed, candidates.clusterIndex());

            assertThat(nodes).containsExactly(1, 0);
            assertThat(Placer.place(candidates, new PartialPlacement(choice, Map.of(0, nodes)))
                            .allocations()
                            .get(0))
                    .isEqualTo(placed);
        }
    }

    @Nested
    class WhereSizesDoNotDivideEachOther {
        /** 5 + 3 + 2 and 4 + 3 + 3; who puts 4 beside 5 has no place for 2. */
        private final ProblemFixture tricky = problem()
                .nodes(10, 10)
                .jobs(
                        job("a").slots(5),
                        job("b").slots(4),
                        job("c").slots(3),
                        job("d").slots(3),
                        job("e").slots(3),
                        job("f").slots(2));

        @Test
        void theGreedyWayMayMissAPlacement() {
            CandidateSet candidates = CandidateGenerator.generate(tricky.build());
            List<Integer> gangs =
                    Arrays.stream(largestChoice(candidates)).boxed().toList();

            assertThat(new GreedyPlacer(
                                    candidates,
                                    candidates.clusterIndex().classes().get(0),
                                    new ResidualCluster(candidates.clusterIndex()))
                            .place(gangs, DevicePreference.none(candidates)))
                    .hasSizeLessThan(6);
        }

        @Test
        void theExactWayFindsIt() {
            PlacementResult placement = placeAll(tricky);

            assertThat(placement.conflicts()).isEmpty();
            assertThat(placement.unplaced()).isEmpty();
            assertThat(placement.allocations()).hasSize(6);
        }

        @Test
        void whatCannotBeIsSaidAndTheRestIsPlaced() {
            PlacementResult placement = placeAll(problem()
                    .nodes(4, 4)
                    .jobs(job("k").on("n1", 1), job("a").slots(3), job("b").slots(3), job("c").slots(2)));

            assertThat(placement.conflicts()).hasSize(1);
            assertThat(placement.conflicts().get(0))
                    .as("the gangs of the class and what is kept there")
                    .hasSize(4);
            assertThat(placement.unplaced()).hasSize(1);
            assertThat(placement.allocations()).hasSize(3);
        }
    }

    @Nested
    class HostsBind {
        @Test
        void gangsWithMuchDemandAreSpreadOverHosts() {
            ProblemFixture hungry = problem()
                    .node(node("n1", 8).cpus(8))
                    .node(node("n2", 8).cpus(8))
                    .jobs(
                            job("a").slots(2).host(3, 0),
                            job("b").slots(2).host(3, 0),
                            job("c").slots(2).host(1, 0),
                            job("d").slots(2).host(1, 0));

            assertThat(placeAll(hungry).unplaced()).isEmpty();
            assertThat(placeAll(hungry.job(job("e").host(1, 0))).conflicts()).hasSize(1);
        }

        @Test
        void theExactWayCountsWhatIsKept() {
            ProblemFixture retained = problem()
                    .node(node("n1", 12).cpus(12))
                    .node(node("n2", 12).cpus(12))
                    .jobs(
                            job("k").slots(2).host(2, 0).on("n1", 2),
                            job("a").slots(5).host(1, 0),
                            job("b").slots(4).host(1, 0),
                            job("c").slots(3).host(1, 0),
                            job("d").slots(3).host(1, 0),
                            job("e").slots(3).host(1, 0),
                            job("f").slots(2).host(1, 0));

            PlacementResult placement = placeAll(retained);

            assertThat(placement.unplaced()).isEmpty();
            assertThat(placement.allocations().values().stream()
                            .flatMap(allocation -> allocation.placement().stream())
                            .filter(share -> share.node().equals("n1"))
                            .mapToInt(NodeShare::slots)
                            .sum())
                    .as("2 kept slots take the CPUs of 4")
                    .isLessThanOrEqualTo(10);
        }

        @Test
        void withoutTimeNoProgramLooksAndJobsStayWithoutAPlace() {
            CandidateSet candidates = CandidateGenerator.generate(thirds().build());
            PartialPlacement desired = PartialPlacement.withoutPlaces(largestChoice(candidates));

            PlacementResult hurried = Placer.place(candidates, desired, () -> 0);

            assertThat(hurried.unplaced()).isNotEmpty();
            assertThat(hurried.conflicts()).as("nothing was proved").isEmpty();
        }

        @Test
        void placesThatAreKnownNeedNoProgram() {
            CandidateSet candidates = CandidateGenerator.generate(thirds().build());
            Map<Integer, List<Integer>> nodes = new HashMap<>();
            Placer.place(candidates, largestChoice(candidates))
                    .allocations()
                    .forEach((j, allocation) -> nodes.put(
                            j,
                            allocation.placement().stream()
                                    .map(share -> candidates.clusterIndex().indexOf(share.node()))
                                    .toList()));

            PartialPlacement placed = new PartialPlacement(largestChoice(candidates), nodes);

            assertThat(Placer.place(candidates, placed, () -> 0).unplaced()).isEmpty();
        }

        @Test
        void fractionsOfACpuAreNotRoundedAgainstAJob() {
            assertThat(placeAll(thirds()).conflicts()).isEmpty();
            assertThat(placeAll(thirds()).unplaced()).isEmpty();
        }

        /** Six jobs that fill two nodes in one way only, which putting the largest first does not find. */
        private ProblemFixture thirds() {
            return problem()
                    .node(node("n1", 10).cpus(10 / 3.0))
                    .node(node("n2", 10).cpus(10 / 3.0))
                    .jobs(
                            job("a").slots(5).host(1 / 3.0, 0),
                            job("b").slots(4).host(1 / 3.0, 0),
                            job("c").slots(3).host(1 / 3.0, 0),
                            job("d").slots(3).host(1 / 3.0, 0),
                            job("e").slots(3).host(1 / 3.0, 0),
                            job("f").slots(2).host(1 / 3.0, 0));
        }
    }

    /**
     * Jobs of one candidate each, on nodes on which others stay: there is a place for all, or it is said that there is
     * none.
     */
    @ParameterizedTest(name = "200 problems from seed {0}")
    @CsvSource({"0", "200"})
    void aConflictIsReportedWhereAndOnlyWhereThereIsNoPlacement(long first) {
        int impossible = 0;
        for (long seed = first; seed < first + 200; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(random(new Random(seed)));
            int[] choice = largestChoice(candidates);
            List<IntPredicate> commitments = new ArrayList<>();
            Arrays.stream(choice).forEach(c -> commitments.add(other -> other == c));

            PlacementResult placement = Placer.place(candidates, choice);

            boolean possible = Enumeration.isPossible(candidates, commitments);
            assertThat(placement.conflicts().isEmpty() && placement.unplaced().isEmpty())
                    .as("seed %d", seed)
                    .isEqualTo(possible);
            assertThat(placement.conflicts().isEmpty()).as("seed %d", seed).isEqualTo(possible);
            impossible += possible ? 0 : 1;
        }
        assertThat(impossible).as("both happen").isBetween(20, 180);
    }

    private static RoundProblem random(Random random) {
        int perNode = 4 + random.nextInt(5);
        ProblemFixture fixture = problem();
        int nodes = 2 + random.nextInt(2);
        int free = 0;
        for (int n = 1; n <= nodes; n++) {
            fixture.node(node("n" + n, perNode).cpus(8 + random.nextInt(6)));
            int taken = random.nextInt(perNode);
            if (taken > 0) {
                fixture.job(job("k" + n).slots(taken).host(random.nextInt(2), 0).on("n" + n, taken));
            }
            free += perNode - taken;
        }
        for (int i = 0; free > 1 && i < 5; i++) {
            int pieces = 1 + random.nextInt(2);
            int slots = Math.max(pieces, 1 + random.nextInt(4));
            free -= slots;
            fixture.job(job("j" + i).slots(slots).host(random.nextInt(3), 0).speed("A100", slots, pieces, 100));
        }
        return fixture.build();
    }
}

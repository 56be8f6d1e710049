package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.problem;
import static dev.spur.solver.program.ProgramFeasibility.allRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That pieces can be cut from nodes, for every way in which the program states it. */
class NodeCapacityConstraintsTest {
    /** Adds a job of one piece for each size. */
    private static ProblemFixture pieces(ProblemFixture fixture, int... sizes) {
        int before = fixture.build().jobs().size();
        for (int i = 0; i < sizes.length; i++) {
            fixture.job(job("j" + (before + i)).slots(sizes[i]).maxNodes(1));
        }
        return fixture;
    }

    private static int[] sizes(String text) {
        return List.of(text.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    }

    @Nested
    class OneNodeIsNotOversubscribed {
        @ParameterizedTest
        @CsvSource({"5 3, true", "5 3 1, false", "4 4, true", "5 4, false", "8, true", "7 1, true", "7 2, false"})
        void itsPiecesFitIntoItsSlots(String sizes, boolean fit) {
            assertThat(allRun(pieces(problem().nodes(8), sizes(sizes)))).isEqualTo(fit);
        }

        @Test
        void whatIsKeptTakesItsSlots() {
            ProblemFixture shared = problem().nodes(8).jobs(job("k").slots(3).on("n1", 3), job("a").slots(5));

            assertThat(ProgramFeasibility.of(shared).keep("k").start("a").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(shared.job(job("b")))
                            .keep("k")
                            .start("a", "b")
                            .hold())
                    .isFalse();
            assertThat(ProgramFeasibility.of(shared).stop("k").start("a", "b").hold())
                    .isTrue();
        }

        @Test
        void whatMayNotBeTouchedTakesItsSlots() {
            ProblemFixture shared =
                    problem().nodes(8).jobs(job("k").slots(3).notPreemptible().on("n1", 3), job("a").slots(5));

            assertThat(ProgramFeasibility.of(shared).start("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(shared.job(job("b")))
                            .start("a", "b")
                            .hold())
                    .isFalse();
        }

        @Test
        void everyPieceOfAKeptGangTakesItsSlots() {
            ProblemFixture gang = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("k").slots(5).holding(JobFixture.allocation(0, piece("n1", 0, 4), piece("n2", 0, 1))),
                            job("a").slots(3),
                            job("b").slots(4));

            assertThat(ProgramFeasibility.of(gang).keep("k").start("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(gang).keep("k").start("b").hold()).isFalse();
        }

        @Test
        void freeSlotsOfTwoNodesDoNotAddUp() {
            ProblemFixture pinned = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("k").on("n1", 1),
                            job("l").on("n2", 1),
                            job("a").slots(4).maxNodes(1),
                            job("b").slots(3));

            assertThat(ProgramFeasibility.of(pinned).keep("k", "l").start("b").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(pinned).keep("k", "l").start("a").hold())
                    .isFalse();
        }
    }

    /** Two nodes of 7 slots; every size divides the next. */
    @Nested
    class EqualNodesAreNotOversubscribed {
        @ParameterizedTest
        @CsvSource({
            "4 4, true",
            "4 4 4, false",
            "4 4 2 2, true",
            "4 4 2 2 2, false",
            "2 2 2 2 2 2, true",
            "2 2 2 2 2 2 2, false",
            "4 4 2 2 1 1, true",
            "4 4 2 2 1 1 1, false",
            "4 2 2 2 1 1 1 1, true",
            "4 2 2 2 1 1 1 1 1, false"
        })
        void thereArePlacesForTheSmallerPiecesBesideTheLargerOnes(String sizes, boolean fit) {
            assertThat(allRun(pieces(problem().nodes(7, 7), sizes(sizes)))).isEqualTo(fit);
        }

        @Test
        void placesCountForEverySizeAlsoBesideSmallerJobsThatWait() {
            ProblemFixture three = pieces(problem().nodes(7, 7), 4, 4, 2, 2, 2, 1);

            assertThat(ProgramFeasibility.of(three)
                            .start("j0", "j1", "j2", "j3")
                            .hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(three)
                            .start("j0", "j1", "j2", "j3", "j4")
                            .hold())
                    .as("14 slots suffice, but there are only 6 places for 2")
                    .isFalse();
        }

        @Test
        void thereAreNoMorePlacesForTheLargestSizeBesideSmallerJobsThatWait() {
            ProblemFixture three = pieces(problem().nodes(7, 7), 4, 4, 4, 1);

            assertThat(ProgramFeasibility.of(three).start("j0", "j1").hold()).isTrue();
            assertThat(ProgramFeasibility.of(three).start("j0", "j1", "j2").hold())
                    .isFalse();
        }

        @Test
        void nodesWithOtherRoomLeftAreCountedApart() {
            ProblemFixture pinned = problem()
                    .nodes(8, 8, 8, 8)
                    .jobs(
                            job("k").notPreemptible().on("n1", 2),
                            job("l").notPreemptible().on("n2", 2));

            assertThat(allRun(pieces(pinned, 8, 8, 4, 2, 4, 2))).isTrue();
            assertThat(allRun(pieces(pinned, 1))).isFalse();
        }

        @Test
        void twoNodesWithSixSlotsLeftDoNotHoldThreeFours() {
            ProblemFixture pinned = problem()
                    .nodes(8, 8)
                    .jobs(
                            job("k").notPreemptible().on("n1", 2),
                            job("l").notPreemptible().on("n2", 2));

            assertThat(allRun(pieces(pinned, 4, 4))).isTrue();
            assertThat(allRun(pieces(pinned, 4))).isFalse();
        }
    }

    /** Two nodes and sizes of which none divides the other. */
    @Nested
    class NodesAreCutByPatterns {
        @ParameterizedTest
        @CsvSource({
            "8, 5 5 3 3, true",
            "8, 5 3 3 3, true",
            "8, 3 3 3 3 5, false",
            "8, 5 5 5, false",
            "9, 5 3 3 3 3, true",
            "9, 5 5 3 3 3, false",
            "9, 3 3 3 3 3 3, true",
            "11, 5 5 3 3 5, true",
            "11, 5 5 5 5, true",
            "11, 3 3 3 3 3 3 5, false",
            "10, 5 5 5 3 3, false",
            "10, 5 5 5 3, true"
        })
        void piecesAreThoseOfAsManyPatternsAsThereAreNodes(int slots, String sizes, boolean fit) {
            assertThat(allRun(pieces(problem().nodes(slots, slots), sizes(sizes))))
                    .isEqualTo(fit);
        }
    }

    /** So many sizes that their patterns are too many. */
    @Nested
    class EachNodeAlone {
        private static ProblemFixture large() {
            ProblemFixture fixture = problem().nodes(100, 100);
            for (int size : new int[] {3, 5, 7, 11, 13, 17, 19}) {
                fixture.job(job("small" + size).slots(size));
            }
            return fixture.jobs(
                    job("a").slots(51), job("b").slots(51), job("c").slots(51), job("d").slots(49), job("e").slots(49));
        }

        @Test
        void thePatternsAreTooMany() {
            List<NodeShareKind> kinds = IntStream.of(3, 5, 7, 11, 13, 17, 19, 49, 51)
                    .mapToObj(size -> new NodeShareKind(size, HostDemand.NONE))
                    .toList();

            assertThat(MaximalPatterns.of(new ResidualNode(100, 0, 0, 0), kinds, 400))
                    .isEmpty();
        }

        @Test
        void piecesFitIntoNodes() {
            assertThat(ProgramFeasibility.of(large()).start("a", "b", "d", "e").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(large()).start("a", "b", "c").hold())
                    .isFalse();
            assertThat(ProgramFeasibility.of(large())
                            .start("a", "b", "d", "e", "small3")
                            .hold())
                    .isFalse();
        }
    }

    @Nested
    class GangsHaveNodesOfTheirOwn {
        /** A job of 8 slots measured on two nodes, and one that fills {@code slots} of the second. */
        private static ProblemFixture beside(int slots) {
            return problem()
                    .nodes(8, 8)
                    .jobs(
                            job("a").slots(8).speed("A100", 8, 1, 400).speed("A100", 8, 2, 800),
                            job("k").slots(slots).on("n2", slots));
        }

        @Test
        void twoPiecesOfAGangAreNotOnOneNode() {
            assertThat(ProgramFeasibility.of(beside(4))
                            .start("a", List.of(4, 4))
                            .keep("k")
                            .hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(beside(5))
                            .start("a", List.of(4, 4))
                            .keep("k")
                            .hold())
                    .isFalse();
        }

        @Test
        void onePieceIsNotMadeOfTwoNodes() {
            assertThat(ProgramFeasibility.of(beside(4))
                            .start("a", List.of(8))
                            .keep("k")
                            .hold())
                    .isTrue();
            ProblemFixture both = beside(4).job(job("l").on("n1", 1));
            assertThat(ProgramFeasibility.of(both)
                            .start("a", List.of(8))
                            .keep("k", "l")
                            .hold())
                    .isFalse();
        }

        @Test
        void equalNodesProvideNoMoreThanOneEach() {
            ProblemFixture three = problem()
                    .nodes(8, 8, 8)
                    .jobs(
                            job("a").slots(12).speed("A100", 12, 2, 400).speed("A100", 12, 3, 800),
                            job("k").slots(8).on("n3", 8));

            assertThat(ProgramFeasibility.of(three)
                            .start("a", List.of(4, 4, 4))
                            .stop("k")
                            .hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(three)
                            .start("a", List.of(4, 4, 4))
                            .keep("k")
                            .hold())
                    .isFalse();
        }

        @Test
        void aNodeProvidesOnlyWhatIsCutFromIt() {
            ProblemFixture crowded = beside(4).jobs(job("b").slots(5));

            assertThat(ProgramFeasibility.of(crowded)
                            .start("a", List.of(4, 4))
                            .keep("k")
                            .start("b")
                            .hold())
                    .isFalse();
        }
    }

    @Nested
    class ClassesAreApart {
        @ParameterizedTest
        @ValueSource(strings = {"V100", "A100"})
        void aPieceIsCutFromANodeOfItsType(String type) {
            ProblemFixture both = problem()
                    .node("n1", 2)
                    .node(NodeFixture.node("v1", 2).type("V100"))
                    .jobs(
                            job("a").slots(2).speedsOn(type, 100, 200),
                            job("b").slots(2).speedsOn("A100", 100, 200));

            assertThat(allRun(both)).isEqualTo(type.equals("V100"));
        }

        @Test
        void aGangIsWithinOneClass() {
            ProblemFixture unequal =
                    problem().nodes(4, 2).job(job("a").slots(4)).job(job("b").slots(2));

            assertThat(allRun(unequal)).isTrue();
            assertThat(allRun(unequal.job(job("c").slots(1)))).isFalse();
        }
    }
}

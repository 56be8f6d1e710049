package dev.spur.solver.program;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static dev.spur.solver.program.ProgramFeasibility.allRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.solve.CpSat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CPUs and memory of hosts suffice. */
class HostConstraintsTest {
    @Nested
    class HostsAreNotOversubscribed {
        @ParameterizedTest
        @CsvSource({"8, 80, true", "7.99, 80, false", "8, 79.99, false"})
        void theSlotsOnTheNodesOfAClassShareTheirHosts(double cpus, double memory, boolean suffices) {
            ProblemFixture one = problem()
                    .node(node("n1", 8).cpus(cpus).memory(memory))
                    .jobs(job("a").slots(2).host(3, 30), job("b").slots(2).host(1, 10));

            assertThat(allRun(one)).isEqualTo(suffices);
        }

        @Test
        void theHostsOfAClassAddUp() {
            ProblemFixture two = problem()
                    .node(node("n1", 4).cpus(4))
                    .node(node("n2", 4).cpus(4))
                    .jobs(job("a").slots(1).host(4, 0), job("b").slots(1).host(4, 0));

            assertThat(allRun(two)).isTrue();
            assertThat(allRun(two.job(job("c").slots(1).host(1, 0)))).isFalse();
        }

        @Test
        void eachHostCountsForItself() {
            ProblemFixture two = problem()
                    .node(node("n1", 4).cpus(4))
                    .node(node("n2", 4).cpus(4))
                    .jobs(job("a").host(3, 0), job("b").host(3, 0), job("c").host(1, 0), job("d").host(2, 0));

            assertThat(ProgramFeasibility.of(two).start("a", "b", "c").hold()).isTrue();
            assertThat(ProgramFeasibility.of(two).start("a", "b", "d").hold())
                    .as("8 CPUs suffice for 3, 3 and 2, but not 4 and 4")
                    .isFalse();
        }

        @Test
        void whatIsKeptTakesItsShare() {
            ProblemFixture retained = problem()
                    .node(node("n1", 4).cpus(4))
                    .jobs(job("k").host(3, 0).on("n1", 1), job("a").host(2, 0));

            assertThat(ProgramFeasibility.of(retained).stop("k").start("a").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(retained).keep("k").start("a").hold())
                    .isFalse();
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedButNothingBesideIt() {
            ProblemFixture shrunk = problem()
                    .node(node("n1", 4).cpus(2))
                    .node(node("n2", 4).cpus(2))
                    .jobs(job("k").host(4, 0).notPreemptible().on("n1", 1), job("a").host(2, 0), job("b").host(1, 0));

            assertThat(ProgramFeasibility.of(shrunk).start("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(shrunk).start("a", "b").hold()).isFalse();
        }
    }

    /** In a class with too many variables, only the sum over its hosts counts. */
    @Nested
    class HostsAreNotOversubscribedInTotal {
        private static boolean allRun(ProblemFixture fixture) {
            CandidateSet candidates = CandidateGenerator.generate(fixture.build());
            RoundProgram program = new RoundProgram(VariableFixing.ofPinnedJobs(candidates), List.of(0, 1), 0);
            program.obligationsAreMet(IntStream.range(0, candidates.jobs())
                    .mapToObj(j -> new Obligation(
                            j,
                            IntStream.range(candidates.first(j), candidates.end(j))
                                    .boxed()
                                    .toList()))
                    .toList());
            return CpSat.solve(program, new SolveBudget(10, 20, 1, 1), 0).choice() != null;
        }

        @ParameterizedTest
        @CsvSource({"8, 80, true", "7.998, 80, false", "8, 79.998, false"})
        void theHostsOfAClassAddUp(double cpus, double memory, boolean suffices) {
            ProblemFixture two = problem()
                    .node(node("n1", 4).cpus(cpus / 2).memory(memory / 2))
                    .node(node("n2", 4).cpus(cpus / 2).memory(memory / 2))
                    .jobs(
                            job("a").host(3, 30),
                            job("b").host(3, 30),
                            job("c").slots(2).host(1, 10));

            assertThat(allRun(two)).isEqualTo(suffices);
        }

        @Test
        void whatIsKeptTakesItsShare() {
            ProblemFixture retained = problem()
                    .node(node("n1", 4).cpus(4))
                    .node(node("n2", 4).cpus(4))
                    .jobs(job("k").host(3, 0).on("n1", 1), job("a").host(4, 0), job("b").host(1, 0));

            assertThat(allRun(retained)).isTrue();
            assertThat(allRun(retained.job(job("c").host(1, 0)))).isFalse();
        }
    }

    /** A host may have shrunk below what jobs hold; the other node of its class has room. */
    @Nested
    class KeptHostsAreNotOversubscribed {
        private static ProblemFixture two(double cpus, double memory) {
            return problem()
                    .node(node("n1", 4).cpus(cpus).memory(memory))
                    .node(node("n2", 4).cpus(cpus).memory(memory))
                    .jobs(
                            job("a").host(2, 20).on("n1", 0, 1),
                            job("b").host(1, 10).on("n1", 1, 1));
        }

        @ParameterizedTest
        @CsvSource({"3, 30, true", "2.999, 30, false", "3, 29.999, false"})
        void whatStaysFitsIntoTheHost(double cpus, double memory, boolean suffices) {
            assertThat(ProgramFeasibility.of(two(cpus, memory)).keep("a", "b").hold())
                    .isEqualTo(suffices);
            assertThat(ProgramFeasibility.of(two(cpus, memory))
                            .stop("a")
                            .keep("b")
                            .hold())
                    .isTrue();
        }

        @Test
        void alsoBesideWhatMayNotBeTouched() {
            ProblemFixture shrunk =
                    two(3, 512).job(job("k").host(2, 0).notPreemptible().on("n1", 2, 1));

            assertThat(ProgramFeasibility.of(shrunk).keep("b").stop("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(shrunk).keep("a").stop("b").hold()).isFalse();
        }

        @ParameterizedTest
        @CsvSource({"3, 30, true", "2.999, 30, false", "3, 29.999, false"})
        void alsoOnANodeThatTakesNothingNew(double cpus, double memory, boolean suffices) {
            ProblemFixture cordoned = problem()
                    .node(node("n1", 4).cpus(cpus).memory(memory).state(NodeState.CORDONED))
                    .jobs(
                            job("a").host(2, 20).on("n1", 0, 1),
                            job("b").host(1, 10).on("n1", 1, 1));

            assertThat(ProgramFeasibility.of(cordoned).keep("a", "b").hold()).isEqualTo(suffices);
            assertThat(ProgramFeasibility.of(cordoned).keep("a").stop("b").hold())
                    .isTrue();
        }

        @Test
        void alsoThereBesideWhatMayNotBeTouched() {
            ProblemFixture cordoned = problem()
                    .node(node("n1", 4).cpus(3).state(NodeState.CORDONED))
                    .jobs(
                            job("k").host(2, 0).notPreemptible().on("n1", 0, 1),
                            job("a").host(2, 0).on("n1", 1, 1),
                            job("b").host(1, 0).on("n1", 2, 1));

            assertThat(ProgramFeasibility.of(cordoned).keep("b").stop("a").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(cordoned).keep("a").stop("b").hold())
                    .isFalse();
        }

        @Test
        void aPieceOfAKeptGangTakesItsShareOfItsOwnNode() {
            ProblemFixture gang = problem()
                    .node(node("n1", 4).state(NodeState.CORDONED))
                    .node(node("n2", 4).cpus(4))
                    .jobs(
                            job("k").slots(2).host(3, 0).holding(allocation(0, piece("n1", 0, 1), piece("n2", 0, 1))),
                            job("a").host(1, 0),
                            job("b").host(2, 0));

            assertThat(ProgramFeasibility.of(gang).keep("k").start("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(gang).keep("k").start("b").hold()).isFalse();
        }
    }
}

package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static dev.spur.solver.program.ProgramFeasibility.allRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each pool has enough aggregation slots. */
class AggregationConstraintsTest {
    @Nested
    class AggregationIsNotOversubscribed {
        private static ProblemFixture offering(double first, double second) {
            return problem()
                    .node(node("n1", 4).aggregation(first))
                    .node(node("n2", 4).aggregation(second));
        }

        @ParameterizedTest
        @CsvSource({"2.5, 0, true", "2.499, 0, false", "1.25, 1.25, true", "1.25, 1.249, false"})
        void theJobsOfAPoolShareTheAggregationOfItsNodes(double first, double second, boolean suffices) {
            ProblemFixture two = offering(first, second).jobs(job("a").served(1.5), job("b").served(1));

            assertThat(allRun(two)).isEqualTo(suffices);
        }

        @Test
        void whatIsKeptTakesItsShare() {
            ProblemFixture retained = offering(2, 0)
                    .jobs(job("k").served(1).holding(served(0, piece("n1", 0, 1), "n1", 1)), job("a").served(1.5));

            assertThat(ProgramFeasibility.of(retained).stop("k").start("a").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(retained).keep("k").start("a").hold())
                    .isFalse();
        }

        @Test
        void anotherPoolHasItsOwn() {
            ProblemFixture apart = offering(1.5, 0)
                    .node(node("s1", 4).pool("side").aggregation(1))
                    .jobs(job("a").served(1.5), job("b").served(1).pools("side"));

            assertThat(allRun(apart)).isTrue();
        }

        @Test
        void closedAndReservedNodesOfferNone() {
            ProblemFixture closed = offering(1, 1)
                    .node(node("n3", 0).aggregation(5).state(NodeState.CORDONED))
                    .node(node("n4", 0).aggregation(5))
                    .reservation(new Reservation("r", List.of("n4"), "root", 0, 2000));

            assertThat(allRun(closed.job(job("a").served(1)).job(job("b").served(1))))
                    .isTrue();
            assertThat(allRun(closed.job(job("c").served(1)))).isFalse();
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedAndLeavesOthersTheRestOfOtherNodes() {
            ProblemFixture shrunk = offering(1, 0.5)
                    .jobs(
                            job("k").served(2).notPreemptible().holding(served(0, piece("n1", 0, 1), "n1", 2)),
                            job("a").served(0.5),
                            job("b").served(0.5));

            assertThat(ProgramFeasibility.of(shrunk).keep("k").start("a").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(shrunk).start("a", "b").hold()).isFalse();
        }

        @Test
        void whatMayNotBeTouchedTakesNothingOfOpenNodesWhereItsSharesAreOnClosedOnes() {
            ProblemFixture closed = offering(1, 0)
                    .node(node("n3", 0).aggregation(2).state(NodeState.CORDONED))
                    .jobs(
                            job("k").served(2).notPreemptible().holding(served(0, piece("n1", 0, 1), "n3", 2)),
                            job("a").served(1),
                            job("b").served(1));

            assertThat(ProgramFeasibility.of(closed).start("a").hold()).isTrue();
            assertThat(ProgramFeasibility.of(closed).start("a", "b").hold()).isFalse();
        }
    }
}

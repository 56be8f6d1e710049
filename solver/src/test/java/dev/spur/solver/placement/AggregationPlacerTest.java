package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who holds something keeps it, the others start. Workers are on {@code w}, which has no aggregation. */
class AggregationPlacerTest {
    private static ProblemFixture cluster() {
        return problem().node(node("w", 8).aggregation(0));
    }

    private static JobFixture holds(String id, int device, String aggregator, double aggregation) {
        return job(id).served(aggregation).holding(served(0, piece("w", device, 1), aggregator, aggregation));
    }

    private static List<AggregationShare> shares(ProblemFixture fixture, int j) {
        CandidateSet candidates = CandidateGenerator.generate(fixture.build());
        int[] choice = IntStream.range(0, candidates.jobs())
                .map(i -> candidates.retainedCandidate(i) >= 0 ? candidates.retainedCandidate(i) : candidates.first(i))
                .toArray();
        return Placer.place(candidates, choice).allocations().get(j).aggregation();
    }

    private static AggregationShare share(String node, double slots) {
        return new AggregationShare(node, slots);
    }

    @Nested
    class NewAggregation {
        @Test
        void goesToOneNodeThatHoldsItTheFullestSuch() {
            ProblemFixture three = cluster()
                    .node(node("x", 0).aggregation(4))
                    .node(node("y", 0).aggregation(2))
                    .node(node("z", 0).aggregation(1))
                    .job(job("a").served(1.5));

            assertThat(shares(three, 0)).containsExactly(share("y", 1.5));
        }

        @Test
        void isSpreadOverTheEmptiestNodesWhereNoneHoldsIt() {
            ProblemFixture three = cluster()
                    .node(node("x", 0).aggregation(2))
                    .node(node("y", 0).aggregation(3))
                    .node(node("z", 0).aggregation(1))
                    .job(job("a").served(4.5));

            assertThat(shares(three, 0)).containsExactly(share("y", 3), share("x", 1.5));
        }

        @Test
        void takesWhatOthersLeave() {
            ProblemFixture two = cluster()
                    .node(node("x", 0).aggregation(2))
                    .node(node("y", 0).aggregation(3))
                    .jobs(holds("k", 0, "x", 1.5), job("a").served(1));

            assertThat(shares(two, 1)).containsExactly(share("y", 1));
        }

        @Test
        void staysInItsPool() {
            ProblemFixture apart = cluster()
                    .node(node("s", 0).aggregation(1).pool("side"))
                    .node(node("x", 0).aggregation(3))
                    .job(job("a").served(1));

            assertThat(shares(apart, 0)).containsExactly(share("x", 1));
        }
    }

    @Nested
    class KeptAggregation {
        @Test
        void staysWhereItIs() {
            ProblemFixture two = cluster()
                    .node(node("x", 0).aggregation(2))
                    .node(node("y", 0).aggregation(1))
                    .job(holds("k", 0, "x", 1));

            assertThat(shares(two, 0)).containsExactly(share("x", 1));
        }

        @Test
        void movesOffANodeThatIsClosed() {
            for (NodeState state : List.of(NodeState.CORDONED, NodeState.DRAINING)) {
                ProblemFixture closed = cluster()
                        .node(node("x", 0).aggregation(2).state(state))
                        .node(node("y", 0).aggregation(1))
                        .job(holds("k", 0, "x", 1));

                assertThat(shares(closed, 0)).as("%s", state).containsExactly(share("y", 1));
            }
        }

        @Test
        void movesOffANodeThatIsReserved() {
            ProblemFixture reserved = cluster()
                    .node(node("x", 0).aggregation(2))
                    .node(node("y", 0).aggregation(1))
                    .reservation(new Reservation("r", List.of("x"), "root", 0, 2000))
                    .job(holds("k", 0, "x", 1));

            assertThat(shares(reserved, 0)).containsExactly(share("y", 1));
        }

        @Test
        void movesOffANodeThatHasShrunk() {
            ProblemFixture shrunk = cluster()
                    .node(node("x", 0).aggregation(1.5))
                    .node(node("y", 0).aggregation(1))
                    .jobs(holds("k", 0, "x", 1), holds("l", 1, "x", 1));

            assertThat(shares(shrunk, 0)).containsExactly(share("x", 1));
            assertThat(shares(shrunk, 1)).containsExactly(share("y", 1));
        }

        @Test
        void ofAJobThatMayNotBeTouchedStaysInAnyCaseAndFirst() {
            ProblemFixture shrunk = cluster()
                    .node(node("x", 0).aggregation(1))
                    .node(node("y", 0).aggregation(1))
                    .jobs(holds("k", 0, "x", 1), holds("l", 1, "x", 1).notPreemptible());

            assertThat(shares(shrunk, 0)).containsExactly(share("y", 1));
            assertThat(shares(shrunk, 1)).containsExactly(share("x", 1));
        }
    }
}

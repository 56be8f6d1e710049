package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.constraint.HostLimits;
import dev.spur.solver.constraint.NodeShareKind;
import dev.spur.solver.constraint.ResidualNode;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeClassPatternsTest {
    @Test
    void aNodeIsWorthTheBestOfAllWaysToCutIt() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            CandidateSet candidates = of(problem()
                    .node(node("n1", 1 + random.nextInt(8))
                            .cpus(random.nextInt(20))
                            .memory(random.nextInt(40))));
            List<NodeShareKind> pieces = pieces(random, 1 + random.nextInt(4));
            NodeClassPatterns patterns = patterns(candidates, pieces);
            double[] prices = prices(random, pieces.size());

            assertThat(patterns.mostOn(0, prices))
                    .as("seed %d", seed)
                    .isEqualTo(best(ResidualNode.of(room(candidates), 0), pieces, patterns, prices), within(1e-9));
        }
    }

    @Test
    void nodesWithEqualCapacityAreOneSubproblem() {
        CandidateSet candidates =
                of(problem().nodes(8, 8, 8, 8).job(job("k").notPreemptible().on("n2", 3)));
        NodeClassPatterns patterns = patterns(candidates, List.of(new NodeShareKind(1, HostDemand.NONE)));

        assertThat(patterns.blocks()).hasSize(2);
        assertThat(IntStream.range(0, 4).mapToDouble(v -> patterns.mostOn(v, new double[] {1})))
                .containsExactly(8.0, 5.0, 8.0, 8.0);
    }

    /** Forty demands of pieces of one slot are cut from sixteen slots in more than a billion ways. */
    @Test
    void demandIsRoundedDownWhereANodeHasTooManyPatterns() {
        Random random = new Random(1);
        CandidateSet candidates = of(problem().node(node("n1", 16).cpus(40).memory(100)));
        List<NodeShareKind> pieces = IntStream.range(0, 40)
                .mapToObj(i -> new NodeShareKind(1, new HostDemand(1 + i / 10.0, 8 - i / 10.0)))
                .toList();
        ConstraintList rows = new ConstraintList();
        NodeClassPatterns patterns = patterns(candidates, pieces, rows);
        double[] prices = prices(random, rows.size());

        assertThat(patterns.blocks()).allMatch(NodePackingSubproblem::isEnumerated);
        assertThat(rows.size()).isBetween(2, 20);
        for (int trial = 0; trial < 100; trial++) {
            assertThat(patterns.mostOn(0, prices))
                    .as("a way to cut that fits")
                    .isGreaterThanOrEqualTo(
                            anyValue(random, ResidualNode.of(room(candidates), 0), pieces, patterns, prices) - 1e-9);
        }
    }

    @Test
    void onlySlotsCountWhereEvenTheSizesHaveTooManyPatterns() {
        CandidateSet candidates = of(problem().node(node("n1", 100).cpus(120)));
        List<NodeShareKind> pieces = IntStream.rangeClosed(1, 30)
                .mapToObj(size -> new NodeShareKind(size, new HostDemand(2, 0)))
                .toList();
        NodeClassPatterns patterns = patterns(candidates, pieces);

        assertThat(patterns.blocks()).noneMatch(NodePackingSubproblem::isEnumerated);
        assertThat(patterns.mostOn(
                        0,
                        IntStream.rangeClosed(-30, -1)
                                .mapToDouble(size -> -size)
                                .toArray()))
                .isEqualTo(100);
    }

    private static CandidateSet of(ProblemFixture fixture) {
        return CandidateGenerator.generate(fixture.build());
    }

    private static ResidualCluster room(CandidateSet candidates) {
        return ResidualCapacity.withoutPinned(candidates).cluster();
    }

    private static NodeClassPatterns patterns(CandidateSet candidates, List<NodeShareKind> pieces) {
        return patterns(candidates, pieces, new ConstraintList());
    }

    private static NodeClassPatterns patterns(
            CandidateSet candidates, List<NodeShareKind> pieces, ConstraintList rows) {
        return new NodeClassPatterns(
                candidates.hardware().classes().get(0),
                new HostLimits(true, true),
                new LinkedHashSet<>(pieces),
                room(candidates),
                rows);
    }

    private static List<NodeShareKind> pieces(Random random, int count) {
        Set<NodeShareKind> pieces = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            pieces.add(new NodeShareKind(
                    1 + random.nextInt(4), new HostDemand(random.nextInt(4), random.nextInt(16) / 2.0)));
        }
        return new ArrayList<>(pieces);
    }

    private static double[] prices(Random random, int rows) {
        return random.doubles(rows, 0, 5).toArray();
    }

    private static double best(
            ResidualNode rest, List<NodeShareKind> pieces, NodeClassPatterns patterns, double[] prices) {
        double best = 0;
        for (NodeShareKind piece : pieces) {
            if (holds(rest, piece)) {
                best = Math.max(
                        best, price(piece, patterns, prices) + best(without(rest, piece), pieces, patterns, prices));
            }
        }
        return best;
    }

    private static double anyValue(
            Random random, ResidualNode node, List<NodeShareKind> pieces, NodeClassPatterns patterns, double[] prices) {
        double value = 0;
        ResidualNode rest = node;
        for (int i = 0; i < 200; i++) {
            NodeShareKind piece = pieces.get(random.nextInt(pieces.size()));
            if (holds(rest, piece)) {
                value += price(piece, patterns, prices);
                rest = without(rest, piece);
            }
        }
        return value;
    }

    private static double price(NodeShareKind piece, NodeClassPatterns patterns, double[] prices) {
        return IntStream.of(patterns.rows(piece))
                .mapToDouble(row -> prices[row])
                .sum();
    }

    private static boolean holds(ResidualNode rest, NodeShareKind piece) {
        return piece.size() <= rest.slots()
                && piece.size() * piece.demand().cpusPerSlot() <= rest.cpus() + 1e-9
                && piece.size() * piece.demand().memoryGiBPerSlot() <= rest.memoryGiB() + 1e-9;
    }

    private static ResidualNode without(ResidualNode rest, NodeShareKind piece) {
        return new ResidualNode(
                rest.slots() - piece.size(),
                rest.cpus() - piece.size() * piece.demand().cpusPerSlot(),
                rest.memoryGiB() - piece.size() * piece.demand().memoryGiBPerSlot(),
                rest.atom());
    }
}

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
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
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
            List<NodeShareKind> kinds = pieces(random, 1 + random.nextInt(4));
            NodeClassPatterns patterns = patterns(candidates, kinds);
            double[] prices = prices(random, kinds.size());

            assertThat(patterns.mostOn(0, prices))
                    .as("seed %d", seed)
                    .isEqualTo(best(ResidualNode.of(room(candidates), 0), kinds, patterns, prices), within(1e-9));
        }
    }

    @Test
    void nodesWithEqualCapacityAreOneSubproblem() {
        CandidateSet candidates =
                of(problem().nodes(8, 8, 8, 8).job(job("k").notPreemptible().on("n2", 3)));
        NodeClassPatterns patterns = patterns(candidates, List.of(new NodeShareKind(1, HostDemand.NONE)));

        assertThat(patterns.subproblems()).hasSize(2);
        assertThat(IntStream.range(0, 4).mapToDouble(v -> patterns.mostOn(v, new double[] {1})))
                .containsExactly(8.0, 5.0, 8.0, 8.0);
    }

    /** Forty demands of pieces of one slot are cut from sixteen slots in more than a billion ways. */
    @Test
    void demandIsRoundedDownWhereANodeHasTooManyPatterns() {
        Random random = new Random(1);
        CandidateSet candidates = of(problem().node(node("n1", 16).cpus(40).memory(100)));
        List<NodeShareKind> kinds = IntStream.range(0, 40)
                .mapToObj(i -> new NodeShareKind(1, new HostDemand(1 + i / 10.0, 8 - i / 10.0)))
                .toList();
        ConstraintList constraints = new ConstraintList();
        NodeClassPatterns patterns = patterns(candidates, kinds, constraints);
        double[] prices = prices(random, constraints.size());

        assertThat(patterns.subproblems()).allMatch(NodePackingSubproblem::isEnumerated);
        assertThat(constraints.size()).isBetween(2, 20);
        for (int trial = 0; trial < 100; trial++) {
            assertThat(patterns.mostOn(0, prices))
                    .as("a way to cut that fits")
                    .isGreaterThanOrEqualTo(
                            anyValue(random, ResidualNode.of(room(candidates), 0), kinds, patterns, prices) - 1e-9);
        }
    }

    @Test
    void onlySlotsCountWhereEvenTheSizesHaveTooManyPatterns() {
        CandidateSet candidates = of(problem().node(node("n1", 100).cpus(120)));
        List<NodeShareKind> kinds = IntStream.rangeClosed(1, 30)
                .mapToObj(size -> new NodeShareKind(size, new HostDemand(2, 0)))
                .toList();
        NodeClassPatterns patterns = patterns(candidates, kinds);

        assertThat(patterns.subproblems()).noneMatch(NodePackingSubproblem::isEnumerated);
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

    private static NodeClassPatterns patterns(CandidateSet candidates, List<NodeShareKind> kinds) {
        return patterns(candidates, kinds, new ConstraintList());
    }

    private static NodeClassPatterns patterns(
            CandidateSet candidates, List<NodeShareKind> kinds, ConstraintList constraints) {
        return new NodeClassPatterns(
                candidates.clusterIndex().classes().get(0),
                new HostLimits(true, true),
                new LinkedHashSet<>(kinds),
                room(candidates),
                constraints);
    }

    private static List<NodeShareKind> pieces(Random random, int count) {
        Set<NodeShareKind> kinds = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            kinds.add(new NodeShareKind(
                    1 + random.nextInt(4), new HostDemand(random.nextInt(4), random.nextInt(16) / 2.0)));
        }
        return new ArrayList<>(kinds);
    }

    private static double[] prices(Random random, int rows) {
        return random.doubles(rows, 0, 5).toArray();
    }

    private static double best(
            ResidualNode residualNode, List<NodeShareKind> kinds, NodeClassPatterns patterns, double[] prices) {
        double best = 0;
        for (NodeShareKind kind : kinds) {
            if (holds(residualNode, kind)) {
                best = Math.max(
                        best,
                        price(kind, patterns, prices) + best(without(residualNode, kind), kinds, patterns, prices));
            }
        }
        return best;
    }

    private static double anyValue(
            Random random, ResidualNode node, List<NodeShareKind> kinds, NodeClassPatterns patterns, double[] prices) {
        double value = 0;
        ResidualNode residualNode = node;
        for (int i = 0; i < 200; i++) {
            NodeShareKind kind = kinds.get(random.nextInt(kinds.size()));
            if (holds(residualNode, kind)) {
                value += price(kind, patterns, prices);
                residualNode = without(residualNode, kind);
            }
        }
        return value;
    }

    private static double price(NodeShareKind kind, NodeClassPatterns patterns, double[] prices) {
        return IntStream.of(patterns.rows(kind)).mapToDouble(row -> prices[row]).sum();
    }

    private static boolean holds(ResidualNode residualNode, NodeShareKind kind) {
        return kind.size() <= residualNode.slots()
                && kind.size() * kind.demand().cpusPerSlot() <= residualNode.cpus() + 1e-9
                && kind.size() * kind.demand().memoryGiBPerSlot() <= residualNode.memoryGiB() + 1e-9;
    }

    private static ResidualNode without(ResidualNode residualNode, NodeShareKind kind) {
        return new ResidualNode(
                residualNode.slots() - kind.size(),
                residualNode.cpus() - kind.size() * kind.demand().cpusPerSlot(),
                residualNode.memoryGiB() - kind.size() * kind.demand().memoryGiBPerSlot(),
                residualNode.atom());
    }
}

package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.solve.LinearProgram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DualLimitsTest {
    private static final NodeClassName NODES = new NodeClassName("main", "A100", null);

    private static final double TIGHT = 1e-7;

    @Nested
    class TheLimitOfARow {
        @Test
        void isTheHighestWorthPerUnitOfTheCandidatesThatUseIt() {
            CouplingConstraints constraints = rows(problem()
                    .nodes(4)
                    .jobs(job("small").slots(1), job("large").slots(4).weight(10))
                    .build());

            double small = constraints.worth(constraints.candidates().first(0));
            double large = constraints.worth(constraints.candidates().first(1));

            assertThat(limit(constraints, piece(1))).isEqualTo(small, within(1e-12));
            assertThat(limit(constraints, piece(4))).isEqualTo(large, within(1e-12));
        }

        @Test
        void isZeroWithoutCandidates() {
            CouplingConstraints constraints = rows(problem()
                    .nodes(4)
                    .group("g", 3, null)
                    .jobs(job("a").group("g").slots(8))
                    .build());

            assertThat(DualLimits.of(constraints)).containsOnly(0);
        }

        /** The price of a slot of the account above reaches the jobs only through the claims of local quotas. */
        @Test
        void ofAnAccountAboveLocalQuotasIsThatOfTheirJobs() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .tenant("left", "root", new Quota(2, 4, null))
                    .tenant("right", "root", new Quota(4, 4, null))
                    .jobs(
                            job("a").tenant("left").slots(4).weight(3),
                            job("b").tenant("right").slots(1))
                    .build();
            CandidateSet candidates = CandidateGenerator.generate(problem);
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS);
            ResourceKey above = new ResourceKey.QuotaSlots("tenants below root", "A100");

            assertThat(constraints.allPrivateQuotas()).hasSize(2);
            assertThat(limit(constraints, above))
                    .isEqualTo(limit(constraints, new ResourceKey.QuotaSlots("left", "A100")), within(1e-12))
                    .isPositive();
        }

        @Test
        void ofAJobThatMustRunIncludesWhatItsOtherCandidatesUse() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("obliged").slots(1, 4).weight(0.01),
                            job("other").slots(4).weight(10))
                    .build();
            CandidateSet candidates = CandidateGenerator.generate(problem);
            List<Integer> all = IntStream.range(candidates.first(0), candidates.end(0))
                    .boxed()
                    .toList();

            CouplingConstraints free = CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            CouplingConstraints obliged = CouplingConstraintsBuilder.of(
                    candidates, List.of(new Obligation(0, all)), RelaxationLevel.PATTERNS);

            assertThat(limit(obliged, piece(2))).isGreaterThan(limit(free, piece(2)));
        }

        private static double limit(CouplingConstraints constraints, ResourceKey key) {
            int r = constraints.rows().stream()
                    .map(CouplingConstraints.Row::key)
                    .toList()
                    .indexOf(key);
            return DualLimits.of(constraints)[r];
        }
    }

    /**
     * With obligations, limits of restarts, quotas and claims, the limits must not cut off the optimal dual solution.
     */
    @ParameterizedTest(name = "100 problems from seed {0}")
    @ValueSource(longs = {5000, 6000})
    void noLimitMakesTheBoundWorseThanTheLinearRelaxation(long first) {
        for (long seed = first; seed < first + 100; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.problem(seed, 8, 15));
            CouplingConstraints constraints = CouplingConstraintsBuilder.of(
                    candidates, someObligations(candidates, seed), RelaxationLevel.PATTERNS);

            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.startPrices(constraints, Map.of())),
                    passes -> TIGHT,
                    300,
                    () -> false);

            double exact = relaxed(constraints);
            assertThat(dualSolution.bound())
                    .as("seed %d", seed)
                    .isEqualTo(exact, within(1e-5 * Math.max(1, Math.abs(exact))));
        }
    }

    /** Each tenant may use its own node and the open one, so that its accesses overlap with those of all others. */
    @ParameterizedTest(name = "{0} tenants")
    @ValueSource(ints = {2, 4, 5, 8})
    void aNodeThatManyTenantsShareIsUsedOnce(int tenants) {
        int[] slots = new int[tenants + 1];
        Arrays.fill(slots, 4);
        ProblemFixture round = problem().nodes(slots);
        for (int i = 1; i <= tenants; i++) {
            round.tenant("t" + i, "root", new Quota(8, null, null))
                    .reservation(new Reservation("r" + i, List.of("n" + i), "t" + i, 0, 9_000))
                    .jobs(
                            job("a" + i).tenant("t" + i).slots(4).maxNodes(1),
                            job("b" + i).tenant("t" + i).slots(4).maxNodes(1));
        }
        CouplingConstraints constraints = rows(round.build());

        DualSolution dualSolution = ColumnGeneration.search(
                constraints,
                List.of(WarmStartDuals.startPrices(constraints, Map.of())),
                passes -> TIGHT,
                300,
                () -> false);

        assertThat(dualSolution.bound()).isCloseTo(relaxed(constraints), within(1e-4));
    }

    /** A plan without a solver shows that the obligations can be met together. */
    private static List<Obligation> someObligations(CandidateSet candidates, long seed) {
        Random random = new Random(seed);
        int[] greedy = GreedyFill.fill(candidates).choice();
        List<Obligation> obligations = new ArrayList<>();
        for (int j = 0; j < greedy.length; j++) {
            if (greedy[j] >= 0 && random.nextInt(3) == 0) {
                int met = greedy[j];
                obligations.add(new Obligation(
                        j,
                        IntStream.range(candidates.first(j), candidates.end(j))
                                .filter(c -> c == met || random.nextInt(3) == 0)
                                .boxed()
                                .toList()));
            }
        }
        return obligations;
    }

    /**
     * The value of the linear program over all candidates, from a solver that knows no prices. Each kind of piece is
     * cut by itself, whatever other kinds its nodes also provide.
     */
    private static double relaxed(CouplingConstraints constraints) {
        LinearProgram program = new LinearProgram();
        int[] rowOf = constraints.rows().stream()
                .mapToInt(row -> program.atMost(row.capacity()))
                .toArray();
        Map<NodeClass, Map<NodeShareKind, Integer>> pieces = new HashMap<>();
        constraints.candidates().clusterIndex().classes().forEach(nodeClass -> pieces.put(nodeClass, new HashMap<>()));
        for (int j = 0; j < constraints.jobs(); j++) {
            int share = program.row(constraints.mayWait(j) ? 0 : 1, 1);
            constraints.candidatesOf(j).forEach(c -> {
                int variable = program.variable(0, 1, constraints.worth(c));
                program.add(share, variable, 1);
                double[] use = new double[rowOf.length];
                constraints.addUse(c, 1, use);
                IntStream.range(0, use.length)
                        .filter(r ->
                                use[r] != 0 && !(constraints.rows().get(r).key() instanceof ResourceKey.NodePieces))
                        .forEach(r -> program.add(rowOf[r], variable, use[r]));
                Map<Integer, Integer> used = new HashMap<>();
                addPieces(constraints.candidates(), c, (nodeClass, kind) -> {
                    int row = pieces.get(nodeClass).computeIfAbsent(kind, k -> program.atMost(0));
                    used.merge(row, 1, Integer::sum);
                });
                used.forEach((row, count) -> program.add(row, variable, count));
            });
        }
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            int amount = program.variable(claim.min(), Double.POSITIVE_INFINITY, 0);
            program.add(rowOf[claim.cover()], amount, -1);
            claim.counts().forEach(r -> program.add(rowOf[r], amount, 1));
        }
        addPatterns(program, constraints.candidates(), pieces);
        return program.maximize(SolveBudget.DEFAULT, 0).orElseThrow().objectiveValue();
    }

    /** Passes each piece of candidate {@code c} on a node that may move to {@code consumer}. */
    private static void addPieces(CandidateSet candidates, int c, BiConsumer<NodeClass, NodeShareKind> consumer) {
        Candidate candidate = candidates.get(c);
        ClusterIndex clusterIndex = candidates.clusterIndex();
        if (!candidate.isRetained()) {
            NodeClass nodeClass = clusterIndex.classes().get(candidate.nodeClass());
            HostDemand demand = HostLimits.of(candidates, nodeClass).binding(candidates.host(candidate));
            candidate
                    .configuration()
                    .shape()
                    .forEach(size -> consumer.accept(
                            nodeClass, new NodeShareKind(size, candidate.parts(), demand, candidate.access())));
        } else if (!candidates.isPinned(candidate.job())) {
            for (NodeShare share :
                    requireNonNull(candidates.job(candidate.job()).allocation()).placement()) {
                int v = clusterIndex.indexOf(share.node());
                if (clusterIndex.classOf(v) < 0) {
                    continue;
                }
                NodeClass nodeClass = clusterIndex.classes().get(clusterIndex.classOf(v));
                HostDemand demand = HostLimits.of(candidates, nodeClass).binding(candidates.host(candidate));
                consumer.accept(
                        nodeClass,
                        new NodeShareKind(share.slots(), candidate.parts(), demand, clusterIndex.accessOf(v)));
            }
        }
    }

    /** Adds one convex combination of packing patterns per node. */
    private static void addPatterns(
            LinearProgram program, CandidateSet candidates, Map<NodeClass, Map<NodeShareKind, Integer>> pieces) {
        ResidualCluster residualCluster =
                ResidualCapacity.withoutPinned(candidates).cluster();
        pieces.forEach((nodeClass, rowOf) -> {
            List<NodeShareKind> kinds = List.copyOf(rowOf.keySet());
            HostLimits limits = HostLimits.of(candidates, nodeClass);
            for (int v : nodeClass.nodes()) {
                int share = program.row(0, 1);
                for (int[] pattern :
                        MaximalPatterns.of(ResidualNode.of(residualCluster, v).within(limits), kinds, 20_000)) {
                    int variable = program.variable(0, 1, 0);
                    program.add(share, variable, 1);
                    for (int k = 0; k < pattern.length; k++) {
                        program.add(requireNonNull(rowOf.get(kinds.get(k))), variable, -pattern[k]);
                    }
                }
            }
        });
    }

    @Nested
    class PricesThatAreRemembered {
        private final CouplingConstraints constraints = rows(RandomProblems.problem(17, 8, 15));

        @ParameterizedTest
        @ValueSource(doubles = {1e30, 1e300, Double.POSITIVE_INFINITY, Double.NaN, -1})
        void areBroughtWithinTheLimits(double poison) {
            double[] start = new double[constraints.rows().size()];
            Arrays.fill(start, poison);

            DualSolution dualSolution =
                    ColumnGeneration.search(constraints, List.of(start), passes -> TIGHT, 0, () -> false);

            double[] limits = DualLimits.of(constraints);
            for (int r = 0; r < limits.length; r++) {
                assertThat(dualSolution.byRow()[r]).isBetween(0.0, limits[r]);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {1e30, 1, 1e-3})
        void giveNoWorseBoundThanNone(double poison) {
            Map<String, Double> remembered = new HashMap<>();
            constraints.rows().forEach(row -> remembered.put(row.key().toString(), poison));

            DualSolution cold = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.startPrices(constraints, Map.of())),
                    passes -> TIGHT,
                    0,
                    () -> false);
            DualSolution warm = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.startPrices(constraints, remembered)),
                    passes -> TIGHT,
                    0,
                    () -> false);

            assertThat(warm.bound()).isLessThanOrEqualTo(cold.bound());
        }
    }

    @Test
    void thePriceOfARowWithoutCapacityStaysBoundedOverRounds() {
        // n1 is held for good up to one slot, so that there is no room for a piece of 4
        RoundProblem problem = problem()
                .nodes(4)
                .jobs(
                        job("held").slots(1).on("n1", 1).notPreemptible(),
                        job("whole").slots(4).maxNodes(1).weight(3),
                        job("small").slots(1, 2))
                .build();
        CouplingConstraints constraints = rows(problem);
        int r = constraints.rows().stream()
                .map(CouplingConstraints.Row::key)
                .toList()
                .indexOf(piece(4));
        assertThat(constraints.rows().get(r).capacity()).isZero();
        Map<String, Double> remembered = Map.of();

        for (int round = 0; round < 100; round++) {
            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.startPrices(constraints, remembered)),
                    passes -> TIGHT,
                    300,
                    () -> false);
            remembered = ResourceKey.byName(dualSolution.byResource(constraints));

            assertThat(dualSolution.byRow()[r])
                    .isLessThanOrEqualTo(
                            constraints.worth(constraints.candidates().first(1)) + 1e-12);
        }
    }

    private static ResourceKey piece(int size) {
        return new ResourceKey.NodePieces(NODES, new NodeShareKind(size, HostDemand.NONE));
    }

    private static CouplingConstraints rows(RoundProblem problem) {
        return CouplingConstraintsBuilder.of(CandidateGenerator.generate(problem), List.of(), RelaxationLevel.PATTERNS);
    }
}

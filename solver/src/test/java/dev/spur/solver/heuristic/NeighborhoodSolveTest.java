package dev.spur.solver.heuristic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.relaxation.ColumnGeneration;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.solve.RemainingBudget;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Parts that are decided side by side share what is left of the round, and jobs that could give way come into the part.
 */
class NeighborhoodSolveTest {
    private static final SolveBudget BUDGET = new SolveBudget(10, 10, 1, 1);

    @Test
    void twoPartsDoNotBothTakeTheLastSlotOfACap() {
        World world = new World(problem()
                .nodes(1, 1)
                .group("g", 1, null)
                .jobs(job("a").slots(1).group("g"), job("b").slots(1).group("g")));
        NeighborhoodSolve first = world.solved(world.part(0, 0));
        NeighborhoodSolve second = world.solved(world.part(1, 1));

        assertThat(first.takeOver()).isPositive();
        assertThat(second.takeOver()).isZero();
        assertThat(world.plan.choiceOf(0)).isNotNegative();
        assertThat(world.plan.choiceOf(1)).isNegative();
    }

    @Test
    void twoPartsDoNotBothUseTheLastRestart() {
        World world = new World(problem()
                .nodes(1, 1)
                .maxRestarts(1)
                .jobs(
                        job("a").slots(1).on("n1", 1),
                        job("b").slots(1).on("n2", 1),
                        job("c").slots(1).weight(9),
                        job("d").slots(1).weight(9)));
        NeighborhoodSolve first = world.solved(world.part(0, 0, 2));
        NeighborhoodSolve second = world.solved(world.part(1, 1, 3));

        assertThat(first.takeOver()).isPositive();
        assertThat(second.takeOver()).isZero();
        assertThat(world.plan.nodesOf(1)).containsExactly(1);
        assertThat(world.plan.nodesOf(2)).containsExactly(0);
    }

    @Test
    void partsHaveNoJobAndNoNodeInCommon() {
        World world = new World(problem()
                .nodes(1, 1)
                .jobs(job("a").slots(1).on("n1", 1), job("b").slots(1).on("n2", 1), job("c").slots(1)));
        Neighborhood other = world.part(0, 2);
        Neighborhood neighborhood = new Neighborhood(world.candidates, world.plan, 9, List.of(other));

        assertThat(neighborhood.mayHaveNode(0)).isFalse();
        assertThat(neighborhood.mayHaveNode(1)).isTrue();
        for (int j = 0; j < 3; j++) {
            neighborhood.addJob(j);
        }
        assertThat(neighborhood.jobs()).containsExactly(1);
        assertThat(neighborhood.nodes()).containsExactly(1);
    }

    /** Only the waiting job loses anything, but it gets nothing unless the other one gives half of its slots. */
    @Test
    void jobsThatLoseNothingGiveWay() {
        World world = new World(problem()
                .nodes(2)
                .jobs(
                        job("wide").slots(1, 2).speeds(10, 17),
                        job("waiting").slots(1).speeds(10)));
        int two = world.candidateOf(0, 2);
        world.plan.put(two);
        double half = world.constraints.worth(two) - world.constraints.worth(world.candidateOf(0, 1));
        DualSolution dualSolution = world.pricesAt(0.9 * half);

        double worth = new LargeNeighborhoodSearch(
                        world.candidates,
                        world.constraints,
                        dualSolution,
                        world.plan,
                        0,
                        new RemainingBudget(BUDGET, () -> 0))
                .run(() -> false);

        assertThat(new GapDecomposition(world.candidates, world.constraints, dualSolution, world.plan).ofJob(0))
                .isNotNegative();
        assertThat(worth).isGreaterThan(world.constraints.worth(two));
        assertThat(world.plan.choiceOf(1)).isNotNegative();
    }

    /** A problem with a plan in which those who hold something keep it. */
    private static final class World {
        private final CandidateSet candidates;
        private final CouplingConstraints constraints;
        private final PlanState plan;

        World(ProblemFixture problem) {
            candidates = CandidateGenerator.generate(problem.build());
            constraints = CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            plan = PlanState.of(constraints, PartialPlacement.withoutPlaces(GreedyFill.repairPlan(candidates)));
        }

        /** The prices at which all rows of slots, and no others, cost {@code price}. */
        DualSolution pricesAt(double price) {
            double[] start = constraints.rows().stream()
                    .mapToDouble(row -> row.key() instanceof ResourceKey.Slots ? price : 0)
                    .toArray();
            return ColumnGeneration.search(constraints, List.of(start), passes -> 0, 1, () -> false);
        }

        int candidateOf(int j, int slots) {
            return constraints
                    .candidatesOf(j)
                    .filter(c -> candidates.get(c).slots() == slots)
                    .findFirst()
                    .orElseThrow();
        }

        Neighborhood part(int node, int... jobs) {
            Neighborhood neighborhood = new Neighborhood(candidates, plan, 9, List.of());
            neighborhood.addNode(node);
            Arrays.stream(jobs).forEach(neighborhood::addJob);
            return neighborhood;
        }

        NeighborhoodSolve solved(Neighborhood neighborhood) {
            DualSolution dualSolution = pricesAt(0);
            NeighborhoodSolve search = new NeighborhoodSolve(
                    candidates,
                    constraints,
                    plan,
                    new GapDecomposition(candidates, constraints, dualSolution, plan),
                    new boolean[candidates.jobs()],
                    neighborhood);
            search.solve(BUDGET, 1, 0);
            return search;
        }
    }
}

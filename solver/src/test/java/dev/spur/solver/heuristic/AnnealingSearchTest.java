package dev.spur.solver.heuristic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.LinearRelaxation;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.RelaxationSolution;
import dev.spur.solver.relaxation.SmallRounds;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnnealingSearchTest {
    private static final int SEEDS = 40;
    private static final long MOVES = 2_000;

    /** A round with its prices and the repaired last plan, from which the search starts. */
    private static final class Start {
        private final SmallRounds.Round round;
        private final CouplingConstraints constraints;
        private final RelaxationSolution relaxation;
        private final PlanState plan;

        Start(SmallRounds kind, long seed) {
            this.round = kind.round(seed, 4, 6);
            this.constraints = round.constraints(RelaxationLevel.TENANTS);
            this.relaxation = LinearRelaxation.solve(constraints, 1, 2, () -> false);
            this.plan = PlanState.of(
                    constraints, PartialPlacement.withoutPlaces(GreedyFill.repairPlan(round.candidates())));
        }

        /** Returns whether the start satisfies the obligations and the restart limit. */
        boolean isFeasible() {
            return round.obligations().stream()
                            .allMatch(each -> each.candidates().contains(plan.choiceOf(each.job())))
                    && isWithinRestartLimit(plan);
        }

        boolean isWithinRestartLimit(PlanState state) {
            return constraints.restarts().restarts(state.choice())
                    <= constraints.restarts().limit();
        }

        AnnealingSearch.Found search(long seed, double clock, double bound, double gap) {
            AnnealingSettings settings = new AnnealingSettings(seed, 0.3, 0.01, MOVES);
            return AnnealingSearch.improve(constraints, relaxation.prices(), plan, settings, () -> clock, bound - gap);
        }

        AnnealingSearch.Found search(long seed) {
            return search(seed, 0, Double.POSITIVE_INFINITY, 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void planIsNeverWorseThanTheStartAndOftenTheOptimum(SmallRounds kind) {
        int rounds = 0;
        int optimal = 0;
        int improved = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Start start = new Start(kind, seed);
            if (!start.isFeasible()) {
                continue;
            }
            double optimum = start.round.optimum();

            PlanState foundPlan = start.search(seed).plan();

            assertThat(foundPlan.objective())
                    .as("%s", start.round)
                    .isGreaterThanOrEqualTo(start.plan.objective() - 1e-9)
                    .isLessThanOrEqualTo(optimum + 1e-9)
                    .isCloseTo(utility(start.constraints, foundPlan), within(1e-9));
            assertThat(start.isWithinRestartLimit(foundPlan))
                    .as("%s", start.round)
                    .isTrue();
            assertThat(foundPlan.placement().conflicts()).as("%s", start.round).isEmpty();
            for (int j = 0; j < start.constraints.jobs(); j++) {
                if (start.round.candidates().isPinned(j)) {
                    assertThat(foundPlan.choiceOf(j))
                            .as("pinned job of %s", start.round)
                            .isEqualTo(start.plan.choiceOf(j));
                }
                if (!start.constraints.mayWait(j)) {
                    assertThat(foundPlan.choiceOf(j))
                            .as("job with a commitment of %s", start.round)
                            .isNotNegative();
                }
            }
            rounds++;
            optimal += foundPlan.objective() > optimum - 1e-9 ? 1 : 0;
            improved += foundPlan.objective() > start.plan.objective() + 1e-9 ? 1 : 0;
        }
        assertThat(improved).as("improved of %d", rounds).isGreaterThan(rounds / 4);
        assertThat(optimal).as("optimal of %d", rounds).isGreaterThan(rounds / 2);
    }

    @Test
    void jobWithACommitmentMakesRoomForAJobThatCouldStay() {
        CandidateSet candidates = CandidateGenerator.generate(problem()
                .nodes(4, 4)
                .jobs(job("running").slots(3).on("n1", 3), job("waiting").slots(4))
                .build());
        Obligation obligation = new Obligation(
                1,
                IntStream.range(candidates.first(1), candidates.end(1)).boxed().toList());
        CouplingConstraints constraints =
                CouplingConstraintsBuilder.of(candidates, List.of(obligation), RelaxationLevel.TENANTS);
        PlanState plan = new PlanState(constraints, new int[] {-1, candidates.first(1)}, new int[][] {{}, {0}});
        double[] prices = LinearRelaxation.solve(constraints, 1, 2, () -> false).prices();

        PlanState foundPlan = AnnealingSearch.improve(
                        constraints,
                        prices,
                        plan,
                        new AnnealingSettings(1, 0.3, 0.01, MOVES),
                        () -> 0,
                        Double.POSITIVE_INFINITY)
                .plan();

        assertThat(foundPlan.choiceOf(0)).isEqualTo(candidates.retainedCandidate(0));
        assertThat(foundPlan.nodesOf(1)).containsExactly(1);
    }

    @Test
    void sameSeedGivesTheSamePlan() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Start start = new Start(SmallRounds.QUOTAS, seed);

            assertThat(start.search(seed).plan().choice())
                    .isEqualTo(start.search(seed).plan().choice());
        }
    }

    @Test
    void clockEndsTheSearchAfterTheLeastNumberOfMoves() {
        Start start = lossy();

        AnnealingSearch.Found found = start.search(1, 1, Double.POSITIVE_INFINITY, 0);

        assertThat(found.isCut()).isTrue();
        assertThat(found.moves()).isPositive().isLessThan(MOVES);
        assertThat(start.search(1).isCut()).isFalse();
    }

    @Test
    void clockBehindTheMovesDoesNotChangeThePlan() {
        Start start = lossy();

        AnnealingSearch.Found found = start.search(1, 0.019, Double.POSITIVE_INFINITY, 0);

        assertThat(found.isCut()).isFalse();
        assertThat(found.moves()).isEqualTo(start.search(1).moves());
        assertThat(found.plan().choice()).isEqualTo(start.search(1).plan().choice());
    }

    @Test
    void clockAheadOfTheMovesIsStated() {
        Start start = lossy();

        assertThat(start.search(1, 0.5, Double.POSITIVE_INFINITY, 0).isCut()).isTrue();
    }

    @Test
    void searchEndsAtTheGap() {
        Start start = lossy();

        assertThat(start.search(1, 0, start.plan.objective(), 1e-9).moves()).isZero();
    }

    /** Returns a round in which some job has a loss, so that the search makes moves. */
    private static Start lossy() {
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> new Start(SmallRounds.PLAIN, seed))
                .filter(start -> start.search(1).moves() >= MOVES)
                .findFirst()
                .orElseThrow();
    }

    private static double utility(CouplingConstraints constraints, PlanState plan) {
        return Arrays.stream(plan.choice())
                .filter(c -> c >= 0)
                .mapToDouble(constraints::worth)
                .sum();
    }
}

package dev.spur.solver.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.relaxation.ColumnGeneration;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.WarmStartDuals;
import dev.spur.solver.solve.RemainingBudget;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LargeNeighborhoodSearchTest {
    @Test
    void aGreedyPlanNeverGetsWorseAndMostlyBecomesOptimal() {
        int improvable = 0;
        int optimal = 0;
        for (long seed = 21_000; seed < 21_200; seed++) {
            Search search = new Search(seed);
            double before = search.worth();
            double best = Enumeration.bestWorth(search.candidates);

            double after = search.run(100, 0);

            assertThat(after).as("seed %d", seed).isGreaterThanOrEqualTo(before - 1e-9);
            assertThat(after).as("seed %d", seed).isLessThanOrEqualTo(best + 1e-9);
            assertThat(search.worth()).as("seed %d", seed).isEqualTo(after, within(1e-6));
            boolean isImprovable = best > before + 1e-6;
            improvable += isImprovable ? 1 : 0;
            optimal += isImprovable && after > best - 1e-6 ? 1 : 0;
        }

        assertThat(improvable).isGreaterThan(15);
        assertThat(optimal).isGreaterThan(improvable * 2 / 3);
    }

    @Test
    void theSearchEndsAtOnceWithinTheGapTarget() {
        Search search = new Search(21_001);
        double before = search.worth();

        assertThat(search.run(100, 1)).isEqualTo(before, within(1e-9));
    }

    @Test
    void theSameProblemAndWorkGiveTheSamePlan() {
        for (long seed = 21_000; seed < 21_020; seed++) {
            assertThat(new Search(seed).run(1, 0)).as("seed %d", seed).isEqualTo(new Search(seed).run(1, 0));
        }
    }

    /** The search from a greedy plan of a small random problem. */
    private static final class Search {
        private final CandidateSet candidates;
        private final CouplingConstraints constraints;
        private final DualSolution dualSolution;
        private final PlanState plan;

        Search(long seed) {
            candidates = CandidateGenerator.generate(RandomProblems.shrunk(seed, 4, 5));
            constraints = CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.startPrices(constraints, Map.of())),
                    pass -> 1e-7,
                    300,
                    () -> false);
            plan = PlanState.of(constraints, GreedyFill.fill(candidates));
        }

        double run(double work, double gapTarget) {
            RemainingBudget budget = new RemainingBudget(new SolveBudget(work, 100, 1, 1), () -> 0);
            return new LargeNeighborhoodSearch(candidates, constraints, dualSolution, plan, gapTarget, budget)
                    .run(() -> false);
        }

        double worth() {
            return IntStream.range(0, candidates.jobs())
                    .map(plan::choiceOf)
                    .filter(choice -> choice >= 0)
                    .mapToDouble(choice -> candidates.get(choice).utility())
                    .sum();
        }
    }
}

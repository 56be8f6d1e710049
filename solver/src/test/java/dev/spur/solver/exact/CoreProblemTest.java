package dev.spur.solver.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.SearchStep;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.heuristic.PlanState;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.relaxation.ColumnGeneration;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.WarmStartDuals;
import dev.spur.solver.solve.RemainingBudget;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reduced-cost fixing: candidates whose loss exceeds the gap are left out, and never one that a better plan needs. */
class CoreProblemTest {
    /** With few passes the bound is loose and little is fixed; with many it is tight and most is. */
    @ParameterizedTest(name = "prices after {0} passes")
    @ValueSource(ints = {0, 5, 300})
    void findsAndProvesTheBestPlanWhateverIsFixed(int passes) {
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates =
                    CandidateGenerator.generate(RandomProblems.withoutObligations(RandomProblems.problem(seed, 3, 4)));
            CoreProblem search = search(candidates, passes);

            boolean proved = search.run();

            double best = Enumeration.bestPlacedWorth(candidates, List.of());
            assertThat(search.worth()).as("seed %d", seed).isEqualTo(best, within(1e-6));
            assertThat(search.bound()).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-6);
            assertThat(proved || search.bound() - search.worth() <= 1e-9)
                    .as("proof at seed %d", seed)
                    .isTrue();
        }
    }

    @Test
    void findsTheBestPlanInParallelWithASearchAndEndsThatSearch() {
        int found = 0;
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates =
                    CandidateGenerator.generate(RandomProblems.withoutObligations(RandomProblems.problem(seed, 3, 4)));
            CoreProblem core = search(candidates, 1);

            core.improveInParallel(isEnded -> {
                while (!isEnded.getAsBoolean()) {
                    Thread.onSpinWait();
                }
            });
            double inParallel = core.worth();
            core.run();

            double best = Enumeration.bestPlacedWorth(candidates, List.of());
            assertThat(core.worth()).as("seed %d", seed).isEqualTo(best, within(1e-6));
            assertThat(core.bound()).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-6);
            found += inParallel >= best - 1e-6 ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(55);
    }

    @Test
    void takesOverOnlyABetterPlanOfTheSearch() {
        int improved = 0;
        for (long seed = 0; seed < 20; seed++) {
            CandidateSet candidates =
                    CandidateGenerator.generate(RandomProblems.withoutObligations(RandomProblems.problem(seed, 3, 4)));
            CoreProblem best = search(candidates, 1);
            best.run();
            CoreProblem core = search(candidates, 1);
            boolean better = best.worth() > core.worth();
            int[] waiting = new int[candidates.jobs()];
            Arrays.fill(waiting, -1);

            core.offer(best.plan().choice(), best.placement());
            core.offer(waiting, Placer.place(candidates, PartialPlacement.withoutPlaces(waiting), () -> 1));

            assertThat(core.worth()).as("seed %d", seed).isEqualTo(best.worth());
            assertThat(core.summary(SearchStep.ROUNDING).foundBy())
                    .as("seed %d", seed)
                    .isEqualTo(better ? SearchStep.NEIGHBORHOODS : SearchStep.ROUNDING);
            improved += better ? 1 : 0;
        }
        assertThat(improved).isPositive();
    }

    private static CoreProblem search(CandidateSet candidates, int passes) {
        CouplingConstraints constraints =
                CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
        DualSolution dualSolution = ColumnGeneration.search(
                constraints,
                List.of(WarmStartDuals.startPrices(constraints, Map.of())),
                pass -> 1e-7,
                passes,
                () -> false);
        PlanState plan = PlanState.of(constraints, GreedyFill.fill(candidates));
        RemainingBudget budget = new RemainingBudget(new SolveBudget(100, 100, 1, 1), () -> 0);
        return new CoreProblem(
                candidates, List.of(), constraints, dualSolution, plan.choice(), plan.placement(), 0, budget);
    }
}

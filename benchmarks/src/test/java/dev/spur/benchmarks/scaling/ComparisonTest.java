package dev.spur.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Size SIZE = new Size(12, 16);
    private static final RoundSettings SETTINGS = RoundSettings.DEFAULT.withEffort(0, new SolveBudget(2, 60, 1, 1));

    @Test
    void aGapIsTheDistanceToTheLowestBoundOfAllMethods() {
        Case round = round(1);
        Comparison comparison = comparison(2);
        RoundPlan plan = comparison.add(round, SolverVariants.parse(List.of("greedy", "core")));
        double optimum = plan.quality().objectiveValue();
        double greedy = Policies.greedy().plan(round.problem()).quality().objectiveValue();

        assertThat(comparison.rows()).extracting(row -> row.get("method")).containsExactly("greedy", "core");
        assertThat(comparison.rows().get(1))
                .containsEntry("gap_percent", "0.0000")
                .containsEntry("status", "OPTIMAL");
        assertThat(greedy).isLessThan(optimum);
        assertThat(Double.parseDouble(comparison.rows().get(0).get("gap_percent")))
                .isBetween(99.9 * (optimum - greedy) / optimum, 100.1 * (optimum - greedy) / optimum);
    }

    @Test
    void severalSeedsAddTheRangeOfTheGap() {
        Comparison comparison = comparison(1);
        comparison.add(round(1), SolverVariants.parse(List.of("core", "greedy")));
        Map<String, String> one = comparison.rows().get(1);
        comparison.add(round(2), SolverVariants.parse(List.of("core", "greedy")));
        Map<String, String> two = comparison.rows().get(1);
        comparison.add(round(3), SolverVariants.parse(List.of("core", "greedy")));
        Map<String, String> three = comparison.rows().get(1);

        assertThat(one).containsEntry("seeds", "1").doesNotContainKeys("gap_min", "gap_max", "seconds_max");
        assertThat(two).containsEntry("seeds", "2").containsKey("seconds_max");
        assertThat(gap(two, "gap_min")).isLessThan(gap(two, "gap_max"));
        assertThat(gap(two, "gap_percent")).isBetween(gap(two, "gap_min"), gap(two, "gap_max"));
        assertThat(gap(three, "gap_max")).isGreaterThanOrEqualTo(gap(two, "gap_max"));
    }

    @Test
    void eachStepOfTheSolverHasAColumn() {
        Comparison comparison = comparison(1);
        comparison.add(round(1), SolverVariants.parse(List.of("core")));

        assertThat(comparison.rows().get(0))
                .containsEntry("jobs", "12")
                .containsEntry("slots", "16")
                .containsEntry("limit_s", "60")
                .containsKeys(
                        "candidates_ms",
                        "dual_ms",
                        "heuristic_ms",
                        "core_ms",
                        "placement_ms",
                        "explanations_ms",
                        "validation_ms");
    }

    @Test
    void aPlanThatTheValidatorRejectsIsAnError() {
        Case round = round(1);
        RoundPlan foreign = Policies.greedy().plan(round(2).problem());
        Policy wrong = new Policy() {
            @Override
            public String name() {
                return "wrong";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                return Decision.of(foreign);
            }
        };

        assertThatThrownBy(() -> comparison(1).add(round, Map.of("wrong", wrong)))
                .hasMessageContaining("rejects the plan of wrong");
    }

    private static double gap(Map<String, String> row, String column) {
        return Double.parseDouble(row.getOrDefault(column, ""));
    }

    private static Comparison comparison(int repeat) {
        return new Comparison("bare", SIZE, 60, repeat);
    }

    private static Case round(long seed) {
        return Cases.generate(SIZE, ConstraintSet.BARE, seed, SETTINGS);
    }
}

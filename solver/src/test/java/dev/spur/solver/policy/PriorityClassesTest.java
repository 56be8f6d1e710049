package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Priority classes: the order of the jobs before their weights. */
class PriorityClassesTest {
    private static Map<Integer, ClassQuality> classes(RoundPlan plan) {
        return plan.quality().classes().stream().collect(Collectors.toMap(ClassQuality::priority, own -> own));
    }

    @Nested
    class EachClassTakesItsOptimum {
        @ParameterizedTest(name = "{1} problems from seed {0} with up to {2} nodes and {3} jobs, grouped: {4}")
        @CsvSource({
            "300000, 400, 3, 4, false", "310000, 150, 4, 5, false", "320000, 150, 2, 6, false", "330000, 100, 3, 4, true"
        })
        void onWhatTheHigherOnesLeave(long first, int seeds, int nodes, int jobs, boolean grouped) {
            int unproved = 0;
            for (long seed = first; seed < first + seeds; seed++) {
                RoundProblem problem = RandomProblems.withoutObligations(
                        grouped
                                ? GroupedProblems.problem(seed, nodes, jobs)
                                : RandomProblems.problem(seed, nodes, jobs));

                RoundPlan plan = Policies.spur().plan(problem);

                assertThat(PlanCheck.violations(problem, plan)).as("plan for seed %d", seed).isEmpty();
                unproved += isOptimal(CandidateGenerator.generate(problem), plan, seed) ? 0 : 1;
            }
            assertThat(unproved).as("plans that are not proved optimal").isLessThanOrEqualTo(seeds / 100);
        }

        /** Compares class by class with the enumerated optimum; returns whether the plan is proved optimal. */
        private static boolean isOptimal(CandidateSet candidates, RoundPlan plan, long seed) {
            boolean isProved = plan.quality().status() == SolveStatus.OPTIMAL;
            Map<Integer, Double> floors = new HashMap<>();
            for (ClassQuality own : plan.quality().classes()) {
                double best = Enumeration.bestOfClass(candidates, own.priority(), floors);
                double rounding = 2e-6 * Math.max(1, Math.abs(best));

                assertThat(own.objectiveValue())
                        .as("value of class %d for seed %d", own.priority(), seed)
                        .isBetween(isProved ? best - rounding : Double.NEGATIVE_INFINITY, best + rounding);
                assertThat(own.bestBound())
                        .as("bound of class %d for seed %d", own.priority(), seed)
                        .isGreaterThanOrEqualTo(best - rounding);
                floors.put(own.priority(), own.objectiveValue());
            }
            if (!isProved) System.err.println("UNPROVED " + seed + " " + plan.quality());
            return isProved;
        }
    }
}

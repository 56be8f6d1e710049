package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.Enumeration;
import dev.spur.solver.candidate.CandidateGenerator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes that share nodes are as fast as contention leaves them, in plan, bound and validator. */
class ContentionTest {
    private static RoundProblem problem(@Nullable Double contention) {
        return ProblemFixture.problem()
                .nodes(4, 4)
                .types(new AcceleratorType("A100", 40).withContention(contention))
                .job(job("a").slots(4).speed("A100", 4, 1, 400).speed("A100", 4, 2, 600))
                .build();
    }

    private static PlannedJob only(RoundProblem problem) {
        RoundPlan plan = Policies.spur().plan(problem);
        double best = Enumeration.bestWorth(CandidateGenerator.generate(problem));
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        assertThat(plan.quality().objectiveValue()).isCloseTo(best, within(1e-9));
        assertThat(plan.quality().bestBound()).isGreaterThanOrEqualTo(best - 1e-9);
        return plan.running().get(0);
    }

    @ParameterizedTest
    @CsvSource({"0, 600", "0.2, 500", "1, 400", ", 400"})
    void aSpreadShapeWinsOnlyWhereLittleContentionWasMeasured(@Nullable Double contention, double goodput) {
        PlannedJob planned = only(problem(contention));

        assertThat(planned.goodput()).isCloseTo(goodput, within(1e-9));
        assertThat(planned.allocation().configuration().shape()).isEqualTo(goodput > 400 ? List.of(2, 2) : List.of(4));
    }

    @Test
    void theMessageStatesTheSlowDown() {
        assertThat(only(problem(0.2)).message())
                .endsWith(
                        " Its nodes have room for another job on several nodes: it counts as 20.0 % slower by contention"
                                + " of type A100.");
        assertThat(only(problem(0.0)).message()).doesNotContain("contention");
    }

    @ParameterizedTest
    @CsvSource({"0.5, 400", ", 600"})
    void aShapeOnTheFewestNodesPaysMeasuredContentionOnly(@Nullable Double contention, double goodput) {
        RoundProblem problem = ProblemFixture.problem()
                .nodes(4, 4)
                .types(new AcceleratorType("A100", 40).withContention(contention))
                .job(job("a").slots(6).speed("A100", 6, 2, 600))
                .build();

        assertThat(only(problem).goodput()).isCloseTo(goodput, within(1e-9));
    }

    @Test
    void aShapeThatFillsItsNodesIsNotCharged() {
        RoundProblem problem = ProblemFixture.problem()
                .nodes(4, 4)
                .types(new AcceleratorType("A100", 40).withContention(3.0))
                .job(job("a").slots(8).speed("A100", 8, 2, 600))
                .build();

        assertThat(only(problem).goodput()).isCloseTo(600, within(1e-9));
    }

    @Test
    void theLargestNodeOfATypeDecidesWhichShapesFillTheirNodes() {
        RoundProblem problem = ProblemFixture.problem()
                .nodes(4, 4, 8)
                .types(new AcceleratorType("A100", 40).withContention(3.0))
                .job(job("a"))
                .build();
        ThroughputProfile profile = problem.jobs().get(0).spec().profile();

        assertThat(profile.contentionSpeed("A100", 8, 2)).isCloseTo(0.25, within(1e-9));
        assertThat(profile.contentionSpeed("A100", 16, 2)).isEqualTo(1);
        assertThat(profile.contentionSpeed("A100", 2, 1)).as("one node").isEqualTo(1);
    }

    @Test
    void contentionIsNotNegative() {
        assertThatThrownBy(() -> new AcceleratorType("A100", 40).withContention(-0.1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contention (-0.1) of A100 must be at least 0");
    }

    @Test
    void aSavedProblemIsChargedOnce() {
        RoundProblem problem = problem(0.2);

        RoundProblem read = RoundJson.mapper().readValue(RoundJson.write(problem), RoundProblem.class);

        assertThat(read).isEqualTo(problem);
        assertThat(only(read).goodput()).isCloseTo(500, within(1e-9));
        assertThat(only(read.at(2000).withNodes(read.nodes())).goodput()).isCloseTo(500, within(1e-9));
    }
}

package dev.spur.policies.monolithic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.SensitiveProblems;
import dev.spur.solver.UnplaceableObligations;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MonolithicSolverTest {
    private static final Path ROUNDS = Path.of("..", "solver", "src", "test", "resources", "rounds");

    private static void assertValid(RoundProblem problem, RoundPlan plan, long seed) {
        assertThat(PlanCheck.violations(problem, plan)).as("seed %d", seed).isEmpty();
    }

    @Test
    void plansAroundMaintenanceAreValid() {
        for (long seed = 0; seed < 80; seed++) {
            RoundProblem problem = RandomProblems.maintained(seed, 6, 10);

            assertValid(problem, MonolithicSolver.cpSat().plan(problem), seed);
        }
    }

    @Test
    void plansWithHostGrantsAreValid() {
        for (long seed = 0; seed < 200; seed++) {
            RoundProblem problem = SensitiveProblems.problem(seed, 6, 10);

            assertValid(problem, MonolithicSolver.cpSat().plan(problem), seed);
        }
    }

    static Stream<List<String>> savedRounds() throws IOException {
        return Files.readAllLines(ROUNDS.resolve("worths.tsv")).stream().map(line -> List.of(line.split("\t", -1)));
    }

    @ParameterizedTest
    @MethodSource("savedRounds")
    void savedRoundsHaveTheSameOptimum(List<String> nameAndValue) throws IOException {
        RoundProblem problem = RoundJson.readProblem(
                Files.readString(ROUNDS.resolve(nameAndValue.get(0) + ".json")).strip());

        RoundPlan plan = MonolithicSolver.cpSat().plan(problem);

        assertValid(problem, plan, 0);
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
        assertThat(plan.quality().objectiveValue()).isCloseTo(Double.parseDouble(nameAndValue.get(1)), within(1e-9));
    }

    @Test
    void commitmentsWithoutAPlacementDoNotStopTheRound() {
        RoundProblem problem = UnplaceableObligations.problem();

        RoundPlan plan = MonolithicSolver.cpSat().plan(problem);

        assertValid(problem, plan, 0);
        assertThat(plan.deadlineStatuses()).containsEntry("promised", DeadlineStatus.GUARANTEED);
        assertThat(plan.running()).extracting(PlannedJob::jobId).containsExactlyInAnyOrder("pin", "promised", "small");
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
    }

    static List<Policy> policies() {
        return List.of(MonolithicSolver.cpSat(), MonolithicSolver.highs());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void preparationsArePlannedAfterTraining(Policy policy) {
        RoundProblem problem = problem()
                .node(node("n1", 4).cpus(16).memory(64))
                .job(job("t").host(1, 16))
                .preparations(preparation("p"))
                .build();

        RoundPlan plan = policy.plan(problem);

        assertValid(problem, plan, 0);
        assertThat(Objects.requireNonNull(plan.preparations()).running()).hasSize(1);
        assertThat(plan.running()).hasSize(1);
    }
}

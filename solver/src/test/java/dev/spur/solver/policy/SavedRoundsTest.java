package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.RandomProblems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rounds saved once and solved again for ever. {@code worths.tsv} names each with the worth of its best plan, which
 * enumeration or the whole program proved as well.
 */
class SavedRoundsTest {
    private static final Path ROUNDS = Path.of("src", "test", "resources", "rounds");

    record Saved(String name, double worth) {
        RoundProblem problem() throws IOException {
            return RoundJson.readProblem(text());
        }

        String text() throws IOException {
            return Files.readString(ROUNDS.resolve(name + ".json")).strip();
        }
    }

    static Stream<Saved> saved() throws IOException {
        return Files.readAllLines(ROUNDS.resolve("worths.tsv")).stream()
                .map(line -> line.split("\t", -1))
                .map(cells -> new Saved(cells[0], Double.parseDouble(cells[1])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("saved")
    void haveTheSameBestPlanAsEver(Saved saved) throws IOException {
        RoundProblem problem = saved.problem();
        assertThat(ProblemCheck.violations(problem)).isEmpty();

        RoundPlan plan = Policies.spur().plan(problem);

        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
        assertThat(plan.quality().objectiveValue()).isCloseTo(saved.worth(), within(1e-9));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("saved")
    void areWrittenAsTheyWere(Saved saved) throws IOException {
        assertThat(RoundJson.write(saved.problem())).isEqualTo(saved.text());
    }

    @Test
    void areAllListed() throws IOException {
        try (Stream<Path> files = Files.list(ROUNDS)) {
            List<String> found = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.replace(".json", ""))
                    .toList();

            assertThat(saved().map(Saved::name)).hasSameElementsAs(found).isNotEmpty();
        }
    }

    @Nested
    class AnyRound {
        @Test
        void survivesTheWayThroughJsonWithItsPlan() {
            for (long seed = 0; seed < 60; seed++) {
                RoundProblem problem = RandomProblems.problem(seed, 6, 8);
                RoundPlan plan = Policies.spur().plan(problem);

                assertThat(RoundJson.readProblem(RoundJson.write(problem)))
                        .as("seed %d", seed)
                        .isEqualTo(problem);
                assertThat(RoundJson.readPlan(RoundJson.write(plan)))
                        .as("seed %d", seed)
                        .isEqualTo(plan);
            }
        }
    }
}

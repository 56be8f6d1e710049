package dev.spur.policies.monolithic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.modelbuilder.ModelBuilder;
import com.google.ortools.modelbuilder.ModelSolver;
import com.google.ortools.modelbuilder.SolveStatus;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.RandomProblems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that HiGHS writes, read back by OR-Tools and solved by SCIP. */
class MpsExportTest {
    @TempDir
    private Path directory;

    private final MpsExport export = new MpsExport();

    private static double optimum(Path file) throws IOException {
        ModelBuilder model = new ModelBuilder();
        assertThat(model.importFromMpsString(Files.readString(file))).isTrue();
        ModelSolver scip = new ModelSolver("SCIP");
        assertThat(scip.solve(model)).isEqualTo(SolveStatus.OPTIMAL);
        return scip.getObjectiveValue();
    }

    private List<Path> write() throws IOException {
        return export.write(directory.resolve("round.mps"));
    }

    @Nested
    class TheFile {
        @Test
        void hasTheOptimumOfThePlan() throws IOException {
            for (long seed = 0; seed < 40; seed++) {
                MpsExport own = new MpsExport();
                RoundProblem problem = RandomProblems.inOneClass(RandomProblems.problem(seed, 10, 25));

                RoundPlan plan = own.policy().plan(problem);
                List<Path> files = own.write(directory.resolve("round%d.mps".formatted(seed)));

                double value = plan.quality().objectiveValue();
                assertThat(optimum(files.get(files.size() - 1)))
                        .as("seed %d", seed)
                        .isCloseTo(value, within(2e-6 * Math.max(1, Math.abs(value))));
            }
        }

        @Test
        void hasNoFreeRowExceptTheObjective() throws IOException {
            export.policy().plan(RandomProblems.inOneClass(RandomProblems.problem(3, 10, 25)));

            assertThat(Files.readAllLines(write().get(0)))
                    .filteredOn(line -> line.startsWith(" N "))
                    .hasSize(1);
        }
    }

    @Test
    void aFurtherSolveGetsAFileOfItsOwn() throws IOException {
        RoundProblem twoClasses = problem()
                .node(node("n", 2))
                .job(job("high-1").slots(2).priority(1))
                .job(job("high-2").slots(2).priority(1))
                .job(job("low").slots(2))
                .build();

        export.policy().plan(twoClasses);

        assertThat(write())
                .containsExactly(directory.resolve("round.mps"), directory.resolve("round-2.mps"))
                .allSatisfy(file -> assertThat(file).isRegularFile());
    }

    @Test
    void aFolderThatDoesNotExistIsAnError() {
        export.policy().plan(RandomProblems.problem(1, 4, 4));

        assertThatThrownBy(() -> export.write(directory.resolve("none").resolve("round.mps")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }
}

package dev.spur.solver.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.ortools.sat.CpModel;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.solve.LinearProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SolverFactoryTest {
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path folder;

    @Test
    void cpSatLeavesSigintToTheJvm() {
        assertThat(SolverFactory.cpSat().getParameters().getCatchSigintSignal()).isFalse();
    }

    @Test
    void unknownParametersAreRejected() {
        assertThatThrownBy(() -> SolverFactory.cpSatForLinearPrograms("colour: 3"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour: 3");
    }

    @Tag("process")
    @ParameterizedTest
    @ValueSource(strings = {"CP_SAT", "CP_SAT_FOR_LINEAR_PROGRAMS", "GLOP"})
    void sigintAfterASolveRunsTheShutdownHooks(String solver) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(words(solver))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await(output, "solved", process);

            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(output)).contains("hook");
            assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The child would inherit an ignored SIGINT, for example of a build that runs in the background. */
    private static List<String> words(String solver) {
        return List.of(
                "env",
                "--default-signal=INT",
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Solved.class.getName(),
                solver);
    }

    private static void await(Path output, String text, Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(output).contains(text)) {
            assertThat(process.isAlive() && System.nanoTime() < end)
                    .as(Files.readString(output))
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** A program that solves something and then waits for a signal. */
    static final class Solved {
        private Solved() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            NativeSolver.load();
            solve(arguments[0]);
            System.out.println("solved");
            Thread.sleep(TimeUnit.MINUTES.toMillis(2));
        }

        private static void solve(String solver) {
            switch (solver) {
                case "CP_SAT" -> {
                    CpModel model = new CpModel();
                    model.maximize(model.newIntVar(0, 8, "slots"));
                    SolverFactory.cpSat().solve(model);
                }
                default -> {
                    LinearProgram program = new LinearProgram();
                    int row = program.atMost(8.5);
                    program.add(row, solver.equals("GLOP") ? program.variable(0, 9, 1) : program.integer(0, 9, 1), 1);
                    program.maximize(SolveBudget.DEFAULT, 0);
                }
            }
        }
    }
}

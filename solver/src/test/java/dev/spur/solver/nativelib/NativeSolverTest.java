package dev.spur.solver.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolverStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeSolverTest {

    @Test
    void solvesAfterLoading() {
        NativeSolver.load();
        NativeSolver.load();
        var model = new CpModel();
        var slots = model.newIntVar(0, 8, "slots");
        model.maximize(slots);

        var solver = SolverFactory.cpSat();
        var status = solver.solve(model);

        assertThat(status).isEqualTo(CpSolverStatus.OPTIMAL);
        assertThat(solver.objectiveValue()).isEqualTo(8);
    }

    @Nested
    class UnpacksOnce {

        private final NativeFiles files = NativeFiles.ofThisMachine();

        @TempDir
        private Path cache;

        @Test
        void leavesACompleteDirectoryAlone() throws IOException {
            Path complete = Files.createDirectory(cache.resolve(files.platform() + "-" + files.version()));

            Path unpacked = files.unpackOnce(cache);

            assertThat(unpacked).isEqualTo(complete).isEmptyDirectory();
        }

        @Test
        void startsAgainAfterAnInterruptedUnpacking() throws IOException {
            Path partial = Files.createDirectory(cache.resolve(files.platform() + "-" + files.version() + ".partial"));
            Files.writeString(partial.resolve("libortools.so"), "half");

            Path unpacked = files.unpackOnce(cache);

            assertThat(unpacked.resolve(System.mapLibraryName("jniortools"))).isRegularFile();
            assertThat(partial).doesNotExist();
        }

        @Test
        void saysWhichDirectoryCannotBeWritten() throws IOException {
            Path file = Files.createFile(cache.resolve("file"));

            assertThatThrownBy(() -> files.unpackOnce(file.resolve("native")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}

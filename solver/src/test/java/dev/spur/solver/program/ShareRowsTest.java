package dev.spur.solver.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import dev.spur.solver.nativelib.SolverFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareRowsTest {
    @ParameterizedTest(name = "{0} of 40 and {1} of 60 parts on {2} devices and a room of {3}: {4}")
    @CsvSource({
        "2, 0, 1, 0, true",
        "3, 0, 1, 0, false",
        "1, 1, 1, 0, true",
        "0, 2, 1, 0, false",
        "4, 0, 2, 0, true",
        "5, 0, 2, 0, false",
        "5, 0, 2, 40, true",
        "5, 0, 2, 39, false",
        "0, 1, 0, 60, true",
        "0, 1, 0, 59, false",
        "2, 2, 2, 0, true"
    })
    void sharesFitTheirDevices(int small, int large, int devices, int room, boolean fit) {
        CpSolver solver = SolverFactory.cpSat();
        CpModel model = new CpModel();
        IntVar ofSmall = model.newIntVar(small, small, "small");
        IntVar ofLarge = model.newIntVar(large, large, "large");
        List<ShareRows.Shares> shares = List.of(new ShareRows.Shares(ofSmall, 40), new ShareRows.Shares(ofLarge, 60));

        ShareRows.add(
                model,
                shares,
                List.of(model.newIntVar(devices, devices, "devices")),
                Stream.of(room).filter(parts -> parts > 0).toList());

        assertThat(solver.solve(model)).isEqualTo(fit ? CpSolverStatus.OPTIMAL : CpSolverStatus.INFEASIBLE);
    }
}

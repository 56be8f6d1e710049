package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.nativelib.NativeSolver;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.NodeShareKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SingleNodeCapacityTest {
    /** Demand that is no whole number of millionths must not add up to more than the node has. */
    @ParameterizedTest(name = "{0} CPUs for each of 8 slots")
    @CsvSource({"0.9999996", "0.3333337", "1.0000004", "2"})
    void aNodeHoldsPiecesThatNeedExactlyItsCpus(double cpusPerSlot) {
        assertThat(mostPieces(8 * cpusPerSlot, cpusPerSlot)).isEqualTo(8);
    }

    @ParameterizedTest(name = "{0} CPUs")
    @CsvSource({"7.999, 7", "3, 3", "0.5, 0"})
    void aNodeHoldsNoPieceThatIsShortOfCpus(double cpus, int pieces) {
        assertThat(mostPieces(cpus, 1)).isEqualTo(pieces);
    }

    /** Pieces of one slot that a node of 8 slots holds at most. */
    private static int mostPieces(double cpus, double cpusPerSlot) {
        NativeSolver.load();
        ResidualCluster room = new ResidualCluster(CandidateGenerator.generate(problem()
                        .node(node("n1", 8).cpus(cpus))
                        .job(job("a").host(cpusPerSlot, 1))
                        .build())
                .clusterIndex());
        NodeShareKind kind = new NodeShareKind(1, new HostDemand(cpusPerSlot, 1));
        CpModel program = new CpModel();
        SingleNodeCapacity alone = new SingleNodeCapacity(
                program, room, 0, List.of(kind), List.of(), new SingleNodeCapacity.Sharing(true, true), null);
        program.maximize(alone.pieces(kind));
        CpSolver solver = new CpSolver();

        solver.solve(program);

        return (int) Math.round(solver.objectiveValue());
    }
}

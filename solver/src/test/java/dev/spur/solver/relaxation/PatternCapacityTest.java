package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeAtom;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatternCapacityTest {
    private static final HostDemand DEMAND = new HostDemand(2, 1);

    /** Two nodes of four slots: the first has CPUs for all of them, the second for two. */
    private static ProblemFixture unequal() {
        return problem()
                .node(node("n1", 4).cpus(8).memory(100))
                .node(node("n2", 4).cpus(5).memory(100))
                .job(job("a").slots(1, 2).speeds(100, 150).host(2, 1));
    }

    private final ConstraintList constraints = new ConstraintList();

    private PatternCapacity capacity(ProblemFixture fixture) {
        return capacity(CandidateGenerator.generate(fixture.build()));
    }

    private PatternCapacity capacity(CandidateSet candidates) {
        return new PatternCapacity(candidates, constraints);
    }

    /** Returns the price 1 for pieces of one slot, and 0 for all others. */
    private double[] onePerSlot(PatternCapacity capacity) {
        double[] prices = new double[constraints.size()];
        capacity.forEachRow((row, slots, isInner) -> prices[row] = slots == 1 ? 1 : 0);
        return prices;
    }

    @Test
    void everyKindOfPieceHasARow() {
        PatternCapacity capacity = capacity(unequal());

        assertThat(constraints.all()).hasSize(2).allMatch(row -> row.capacity() == 0);
        assertThat(capacity.price(0, 1, Elasticity.PARTS, DEMAND, NodeAccess.WHOLE, onePerSlot(capacity)))
                .isEqualTo(1);
        assertThat(capacity.price(0, 2, Elasticity.PARTS, DEMAND, NodeAccess.WHOLE, onePerSlot(capacity)))
                .isZero();
    }

    @Test
    void piecesThatAJobCouldKeepHaveARowToo() {
        capacity(problem().nodes(8).jobs(job("k").slots(3).on("n1", 3), job("a").slots(2)));

        assertThat(constraints.all().stream().map(row -> row.key().toString()))
                .anyMatch(key -> key.contains("3"))
                .anyMatch(key -> key.contains("2"));
    }

    @Test
    void aCandidateUsesTheRowsOfItsPieces() {
        PatternCapacity capacity = capacity(unequal());
        SparseMatrixBuilder matrix = new SparseMatrixBuilder(1);

        capacity.addPieces(0, List.of(1, 1, 2), Elasticity.PARTS, DEMAND, NodeAccess.WHOLE, matrix);

        assertThat(matrix.amounts()).containsExactly(2, 1);
        assertThat(matrix.rows()).doesNotHaveDuplicates();
    }

    @Test
    void pricesOfSlotsCpusAndMemoryAreMeansOverTheNodes() {
        CandidateSet candidates = CandidateGenerator.generate(unequal().build());
        PatternCapacity capacity = capacity(candidates);
        NodeAtom atom = candidates.clusterIndex().atoms().get(0);
        double[] prices = onePerSlot(capacity);

        assertThat(capacity.worthOfNode(0, 0, prices)).isEqualTo(4);
        assertThat(capacity.worthOfNode(0, 1, prices)).isEqualTo(2);
        assertThat(capacity.slotPrice(atom, prices)).isEqualTo((4 / 4.0 + 2 / 4.0) / 2);
        assertThat(capacity.cpuPrice(atom, prices))
                .as("two more CPUs give the second node one more piece")
                .isEqualTo((0 + 1) / 2.0 / 2, within(1e-9));
        assertThat(capacity.memoryPrice(atom, prices)).isZero();
    }

    @Test
    void pinnedJobsLeaveLessOfANode() {
        PatternCapacity capacity =
                capacity(problem().nodes(8, 8).jobs(job("k").notPreemptible().on("n1", 3), job("a")));
        double[] prices = onePerSlot(capacity);

        assertThat(capacity.slots()).isEqualTo(13);
        assertThat(capacity.nodes()).isEqualTo(2);
        assertThat(capacity.worthOfNode(0, 0, prices)).isEqualTo(5);
        assertThat(capacity.worthOfNode(0, 1, prices)).isEqualTo(8);
    }
}

package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import org.junit.jupiter.api.Test;

class ResidualClusterTest {
    private final CandidateSet candidates =
            CandidateGenerator.generate(problem().nodes(4, 4).jobs(job("a")).build());
    private final ResourceDemand demand = ResourceDemand.of(candidates, candidates.get(0));

    @Test
    void aPieceGoesToTheFullestNodeThatHoldsIt() {
        ResidualCluster cluster = new ResidualCluster(candidates.hardware());
        cluster.take(demand, new int[] {1});

        assertThat(cluster.nodesFor(demand, ResidualCluster.FREE)).containsExactly(1);
    }

    @Test
    void aPieceGoesWhereItCostsLeastEvenIfAnotherNodeIsFuller() {
        ResidualCluster cluster = new ResidualCluster(candidates.hardware());
        cluster.take(demand, new int[] {0});

        assertThat(cluster.nodesFor(demand, (v, piece, of) -> v == 0 ? 1 : 0.5)).containsExactly(1);
    }

    @Test
    void pinnedJobsLeaveTheOtherCapacity() {
        CandidateSet running = CandidateGenerator.generate(problem()
                .nodes(4, 4)
                .jobs(
                        job("pinned").notPreemptible().slots(2).on("n1", 2),
                        job("movable").slots(3).on("n2", 3))
                .build());

        ResidualCluster left = ResidualCapacity.withoutPinned(running).cluster();

        assertThat(left.slots(0)).isEqualTo(2);
        assertThat(left.slots(1)).isEqualTo(4);
        assertThat(left.slots(running.hardware().classes().get(0))).isEqualTo(6);
    }
}

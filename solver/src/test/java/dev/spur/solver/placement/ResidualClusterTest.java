package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResidualClusterTest {
    private final CandidateSet candidates =
            CandidateGenerator.generate(problem().nodes(4, 4).jobs(job("a")).build());

    @Test
    void aPieceGoesToTheFullestNodeThatHoldsIt() {
        ResidualCluster room = new ResidualCluster(candidates);
        room.placeOn(candidates.get(0), List.of(1));

        assertThat(room.place(candidates.get(0))).containsExactly(1);
    }

    @Test
    void aPieceGoesWhereItCostsLeastEvenIfAnotherNodeIsFuller() {
        ResidualCluster room = new ResidualCluster(candidates);
        room.placeOn(candidates.get(0), List.of(0));

        assertThat(room.place(candidates.get(0), (k, v, size, demand) -> v == 0 ? 1 : 0.5))
                .containsExactly(1);
    }

    @Test
    void pinnedJobsLeaveTheOtherCapacity() {
        CandidateSet running = CandidateGenerator.generate(problem()
                .nodes(4, 4)
                .jobs(
                        job("pinned").notPreemptible().slots(2).on("n1", 2),
                        job("movable").slots(3).on("n2", 3))
                .build());

        ResidualCluster left = ResidualCluster.withoutPinned(running);

        assertThat(left.slots(0)).isEqualTo(2);
        assertThat(left.slots(1)).isEqualTo(4);
        assertThat(left.slots(running.hardware().classes().get(0))).isEqualTo(6);
    }
}

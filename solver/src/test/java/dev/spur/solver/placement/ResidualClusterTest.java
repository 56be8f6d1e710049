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
}

package dev.spur.solver.pricing;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import org.junit.jupiter.api.Test;

class PartialSolutionTest {
    /**
     * Five slots of n1 and four of n2 are free. The fill asks those first who would be worth most on six slots of one
     * node; they get two each, and fill n2. Placed by what they got, the job of three slots comes first and takes n2,
     * so that one of two slots is left over.
     */
    @Test
    void nobodyOfAFilledPlanIsLost() {
        CandidateSet candidates = CandidateGenerator.generate(problem()
                .node(node("n1", 8))
                .node(node("n2", 8))
                .jobs(
                        job("stays").slots(3).notPreemptible().on("n1", 3),
                        job("stays too").slots(4).notPreemptible().on("n2", 4),
                        twoOrSix("a"),
                        twoOrSix("b"),
                        job("three").slots(3).consolidate().weight(1.2),
                        job("two").slots(2).consolidate().weight(0.5))
                .build());
        PartialPlacement filled = GreedyFill.filled(candidates);

        PartialSolution plan = PartialSolution.of(candidates, filled);

        assertThat(filled.choice()).doesNotContain(-1);
        assertThat(plan.choice()).isEqualTo(filled.choice());
        filled.nodes().forEach((j, nodes) -> assertThat(plan.nodesOf(j)).isEqualTo(nodes));
        PartialPlacement placeless = PartialPlacement.withoutPlaces(filled.choice());
        assertThat(PartialSolution.of(candidates, placeless).choice()).contains(-1);
    }

    /** On six slots ten times as fast per slot as on two. */
    private static JobFixture twoOrSix(String id) {
        return job(id).slots(2, 6)
                .allowedCounts(2, 6)
                .consolidate()
                .speed("A100", 2, 1, 200)
                .speed("A100", 6, 1, 6000);
    }
}

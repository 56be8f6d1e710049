package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StandingPlanTest {
    /** Candidates of one job may have equal configurations and differ in the nodes that they may take. */
    @Test
    void eachCandidateMayTakeTheNodesOfItsAllocation() {
        int ambiguous = 0;
        for (long seed = 0; seed < 40; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.problem(seed, 30, 80));
            for (int c = 0; c < candidates.size(); c++) {
                if (candidates.get(c).isRetained() || !hasTwin(candidates, c)) {
                    continue;
                }
                int[] choice = new int[candidates.jobs()];
                Arrays.fill(choice, -1);
                choice[candidates.get(c).job()] = c;
                PlacementResult placement = Placer.place(candidates, choice);
                if (placement.allocations().isEmpty()) {
                    continue;
                }

                StandingPlan plan = StandingPlan.of(candidates, placement);

                plan.nodes()
                        .forEach((j, nodes) -> assertThat(nodes)
                                .as(
                                        "%s of %s",
                                        candidates.get(plan.choice()[j]),
                                        candidates.job(j).id())
                                .allMatch(v -> candidates
                                        .get(plan.choice()[j])
                                        .access()
                                        .contains(v)));
                ambiguous++;
            }
        }
        assertThat(ambiguous).isPositive();
    }

    private static boolean hasTwin(CandidateSet candidates, int c) {
        int j = candidates.get(c).job();
        for (int other = candidates.first(j); other < candidates.end(j); other++) {
            if (other != c
                    && !candidates.get(other).isRetained()
                    && candidates
                            .get(other)
                            .configuration()
                            .equals(candidates.get(c).configuration())) {
                return true;
            }
        }
        return false;
    }
}

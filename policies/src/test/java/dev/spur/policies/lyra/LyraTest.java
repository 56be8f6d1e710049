package dev.spur.policies.lyra;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import dev.spur.policies.elastic.KnapsackItem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.solve.LinearProgram;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LyraTest {
    private final Lyra lyra = new Lyra();

    @Test
    void theShortestJobsGetTheirFewestFirst() {
        RoundProblem problem = problem()
                .nodes(4)
                .jobs(
                        job("long").slots(3, 4).work(9e6),
                        job("short").slots(2, 4).work(1e5))
                .build();

        assertThat(SlotFixture.of(lyra, problem)).isEqualTo(Map.of("short", 4));
    }

    @Test
    void noFewestSlotsAreCutForExtraOnes() {
        RoundProblem problem = problem()
                .nodes(4)
                .jobs(SlotFixture.scaling("a", 1).work(9e6), job("b").slots(2).work(1e7), job("c").work(1e7))
                .build();

        assertThat(SlotFixture.of(lyra, problem)).isEqualTo(Map.of("a", 1, "b", 2, "c", 1));
    }

    @Test
    void extraSlotsSaveAsMuchTimeAsAnyCould() {
        Random random = new Random(5);
        for (int i = 0; i < 15; i++) {
            ProblemFixture fixture = problem().nodes(8);
            for (int j = 0; j < 4; j++) {
                fixture.job(SlotFixture.scaling("j" + j, 0.3 + random.nextDouble() * 0.7)
                        .work(1e5 + random.nextInt(1_000_000)));
            }
            RoundProblem problem = fixture.build();

            Map<String, Integer> slots = SlotFixture.of(lyra, problem);

            RoundView view = RoundView.of(problem, BatchRule.USER);
            NodePartition partition = view.partitions().get(0);
            double saved = 0;
            for (int j = 0; j < 4; j++) {
                saved += Lyra.extras(view, j, partition)
                        .get(slots.get("j" + j) - 1)
                        .value();
            }
            assertThat(saved).isCloseTo(max(view, partition), within(1e-3 * saved + 1e-9));
        }
    }

    /** The most time that four extra slots can save, by an integer program. */
    private static double max(RoundView view, NodePartition partition) {
        LinearProgram program = new LinearProgram();
        int room = program.atMost(4);
        for (int j = 0; j < view.jobs(); j++) {
            int one = program.atMost(1);
            for (KnapsackItem extra : Lyra.extras(view, j, partition)) {
                int chosen = program.binary(extra.value());
                program.add(one, chosen, 1);
                program.add(room, chosen, extra.slots());
            }
        }
        return program.maximize(view.problem().settings().budget(), 0)
                .orElseThrow()
                .objectiveValue();
    }

    @Nested
    class GivingBackNodes {
        private JobFixture over(String id, int min, int onFirst, int onSecond) {
            return job(id).slots(min, 8)
                    .holding(JobFixture.allocation(0, piece("n1", 0, onFirst), piece("n2", 0, onSecond)));
        }

        @Test
        void extraSlotsAloneAreGivenBackFirst() {
            RoundProblem problem = problem()
                    .nodes(4, 4, 4)
                    .jobs(over("elastic", 2, 2, 2), job("rigid").slots(4).on("n3", 4))
                    .build();

            assertThat(NodeReclamation.nodes(problem, List.of("n3", "n2"), 1, job -> 100))
                    .containsExactly("n2");
        }

        @Test
        void aJobAtItsMinimumCostsAsMuchAsAnyOther() {
            RoundProblem problem = problem()
                    .nodes(4, 4, 4)
                    .jobs(
                            over("elastic", 2, 2, 2).restartPenalty(500),
                            job("rigid").slots(4).on("n3", 4).restartPenalty(10))
                    .build();

            assertThat(NodeReclamation.nodes(problem, List.of("n1", "n2", "n3"), 2, job -> 0))
                    .containsExactly("n1", "n3");
        }

        @Test
        void lostWorkCounts() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .jobs(job("a").slots(4).on("n1", 4), job("b").slots(4).on("n2", 4))
                    .build();

            assertThat(NodeReclamation.nodes(
                            problem, List.of("n1", "n2"), 1, job -> job.id().equals("a") ? 900 : 100))
                    .containsExactly("n2");
        }
    }
}

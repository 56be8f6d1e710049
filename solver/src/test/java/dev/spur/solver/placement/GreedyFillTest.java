package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Plans without a solver. */
class GreedyFillTest {
    private static List<String> running(CandidateSet candidates, int[] choice) {
        return Arrays.stream(choice)
                .filter(c -> c >= 0)
                .mapToObj(c -> candidates.job(candidates.get(c).job()).id()
                        + candidates.get(c).slots())
                .toList();
    }

    private static List<String> repaired(ProblemFixture fixture) {
        CandidateSet candidates = CandidateGenerator.generate(fixture.build());
        return running(candidates, GreedyFill.repairPlan(candidates));
    }

    private static List<String> filled(ProblemFixture fixture) {
        CandidateSet candidates = CandidateGenerator.generate(fixture.build());
        return running(candidates, GreedyFill.fill(candidates).choice());
    }

    @Nested
    class TheLastPlanRepaired {
        @Test
        void isTheLastPlanWhereNothingHasChanged() {
            assertThat(repaired(problem()
                            .nodes(4)
                            .jobs(job("a").on("n1", 0, 1), job("b").slots(2).on("n1", 1, 2), job("c"))))
                    .containsExactly("a1", "b2");
        }

        @Test
        void leavesOutWhoCannotStay() {
            assertThat(repaired(problem()
                            .nodes(4)
                            .node(node("d", 2).state(NodeState.DRAINING))
                            .jobs(job("a").on("d", 1), job("b").on("n1", 1))))
                    .containsExactly("b1");
        }

        @Test
        void keepsThoseWorthMostPerSlotWhereAQuotaHasShrunk() {
            ProblemFixture shrunk = problem()
                    .nodes(4)
                    .tenant("root", null, new Quota(3, 0, null))
                    .jobs(
                            job("a").on("n1", 0, 1),
                            job("b").slots(2).weight(3).on("n1", 1, 2),
                            job("c").weight(2).on("n1", 3, 1));

            assertThat(repaired(shrunk)).containsExactly("b2", "c1");
        }

        @Test
        void keepsWhoMayNotBeTouchedBeforeAllOthers() {
            ProblemFixture shrunk = problem()
                    .nodes(4)
                    .tenant("root", null, new Quota(1, 0, null))
                    .jobs(
                            job("a").notPreemptible().on("n1", 0, 1),
                            job("b").weight(9).on("n1", 1, 1));

            assertThat(repaired(shrunk)).containsExactly("a1");
        }

        @Test
        void leavesOutWhatAHostThatHasShrunkCannotFeed() {
            ProblemFixture shrunk = problem()
                    .node(node("n1", 4).cpus(3))
                    .jobs(
                            job("a").host(2, 0).on("n1", 0, 1),
                            job("b").host(2, 0).weight(2).on("n1", 1, 1));

            assertThat(repaired(shrunk)).containsExactly("b1");
        }
    }

    @Nested
    class TheRepairedPlanFilled {
        private int named;

        @Test
        void letsWaitingJobsRunWhereThereIsRoom() {
            assertThat(filled(problem()
                            .nodes(4)
                            .jobs(job("a").slots(2).on("n1", 2), job("b").slots(3), job("c").slots(2))))
                    .containsExactly("a2", "c2");
        }

        @Test
        void givesRoomToThoseWorthMostPerSlot() {
            assertThat(filled(problem()
                            .nodes(4)
                            .jobs(job("a").slots(3), job("b").slots(2).weight(2), job("c").slots(2))))
                    .containsExactly("b2", "c2");
        }

        @Test
        void startsEachJobInItsBestShapePerSlotThatFits() {
            assertThat(filled(problem().nodes(2).job(job("a").slots(1, 2).speeds(100, 150))))
                    .containsExactly("a1");
        }

        @Test
        void startsNothingThatIsWorthNothing() {
            assertThat(filled(problem().nodes(2).horizon(20, 1).job(job("a").restartPenalty(40))))
                    .isEmpty();
        }

        @Test
        void knowsPlacesThatPuttingTheLargestFirstWouldNotFind() {
            CandidateSet candidates = CandidateGenerator.generate(problem()
                    .node(node("n1", 10).cpus(10))
                    .node(node("n2", 10).cpus(10))
                    .jobs(
                            needing(5).weight(5e4),
                            needing(3).weight(3e3),
                            needing(2).weight(200),
                            needing(4).weight(40),
                            needing(3).weight(3),
                            needing(3).weight(0.3))
                    .build());

            PartialPlacement filledPlacement = GreedyFill.fill(candidates);

            assertThat(filledPlacement.choice()).doesNotContain(-1);
            assertThat(Placer.place(candidates, filledPlacement, () -> 0).unplaced())
                    .isEmpty();
            PartialPlacement placeless = PartialPlacement.withoutPlaces(filledPlacement.choice());
            assertThat(Placer.place(candidates, placeless, () -> 0).unplaced()).isNotEmpty();
        }

        private JobFixture needing(int slots) {
            return job("of " + slots + " " + named++).slots(slots).host(1, 0);
        }
    }
}

package dev.spur.model.round;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.jobOf;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Small values of a round. */
class RoundValuesTest {
    @Nested
    class AChange {
        private final Allocation heldAllocation = allocation(0, piece("n1", 0, 2));

        @Test
        void isNamedAfterWhatHappensToTheJob() {
            assertThat(ChangeKind.between(null, heldAllocation)).isEqualTo(ChangeKind.START);
            assertThat(ChangeKind.between(heldAllocation, null)).isEqualTo(ChangeKind.PREEMPT);
            assertThat(ChangeKind.between(heldAllocation, allocation(9, piece("n1", 0, 2))))
                    .isEqualTo(ChangeKind.KEEP);
            assertThat(ChangeKind.between(heldAllocation, allocation(9, piece("n1", 0, 3))))
                    .isEqualTo(ChangeKind.GROW);
            assertThat(ChangeKind.between(heldAllocation, allocation(9, piece("n1", 0, 1))))
                    .isEqualTo(ChangeKind.SHRINK);
            assertThat(ChangeKind.between(heldAllocation, allocation(9, piece("n2", 0, 2))))
                    .isEqualTo(ChangeKind.MOVE);
            assertThat(ChangeKind.between(heldAllocation, allocation(9, piece("n1", 1, 2))))
                    .isEqualTo(ChangeKind.MOVE);
        }

        @Test
        void ofTheBatchAloneIsATuning() {
            Configuration larger = new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 128, 0);

            assertThat(ChangeKind.between(
                            heldAllocation, new Allocation(larger, heldAllocation.placement(), List.of(), 9)))
                    .isEqualTo(ChangeKind.RECONFIGURE);
        }

        @Test
        void ofTheAggregatorsAloneIsNone() {
            assertThat(ChangeKind.between(served(0, piece("n1", 0, 1), "n1", 1), served(0, piece("n1", 0, 1), "n2", 1)))
                    .isEqualTo(ChangeKind.KEEP);
        }
    }

    @Nested
    class AHorizon {
        @Test
        void isTheShortestOneOrAMultipleOfTheRestart() {
            assertThat(Horizon.DEFAULT.seconds(30)).isEqualTo(1200);
            assertThat(Horizon.DEFAULT.seconds(300)).isEqualTo(1200);
            assertThat(Horizon.DEFAULT.seconds(301)).isEqualTo(1204);
            assertThat(new Horizon(60, 2).seconds(250)).isEqualTo(500);
        }
    }

    @Nested
    class AProof {
        @Test
        void statesTheGapRelativeToTheBound() {
            SolutionQuality quality = SolutionQuality.of(SolveStatus.GAP_LIMIT, 8, 10, 4);

            assertThat(quality.gap()).isEqualTo(0.2);
            assertThat(quality.improvement()).isEqualTo(4 / 6.0);
        }

        @Test
        void takesABoundBelowTheWorthForRounding() {
            SolutionQuality quality = SolutionQuality.of(SolveStatus.OPTIMAL, 10, 9.999999, 10);

            assertThat(quality.bestBound()).isEqualTo(10);
            assertThat(quality.gap()).isZero();
            assertThat(quality.improvement()).isEqualTo(1);
        }

        @Test
        void standsAlsoForNothing() {
            assertThat(SolutionQuality.of(SolveStatus.OPTIMAL, 0, 0, 0).gap()).isZero();
            assertThat(SolutionQuality.of(SolveStatus.GAP_LIMIT, -4, -2, -4).gap())
                    .isEqualTo(1);
        }
    }

    @Nested
    class TheLossOfANode {
        private final RoundProblem problem = problem()
                .nodes(4)
                .node(node("gone", 4).state(NodeState.LOST))
                .jobs(
                        job("stays").on("n1", 1),
                        job("stops").slots(2).holding(allocation(0, piece("n1", 1, 1), piece("gone", 0, 1))),
                        job("served").served(1).holding(served(0, piece("n1", 2, 1), "gone", 1)),
                        job("vanished").on("unknown", 1),
                        job("waits"))
                .build();

        @Test
        void stopsEveryJobWithAPartOrAShareThere() {
            RoundProblem after = NodeLossHandling.stopJobs(problem);

            assertThat(jobOf(after, "stays")).isEqualTo(jobOf(problem, "stays"));
            assertThat(jobOf(after, "waits")).isEqualTo(jobOf(problem, "waits"));
            for (String stopped : List.of("stops", "served", "vanished")) {
                assertThat(jobOf(after, stopped).allocation()).as(stopped).isNull();
                assertThat(jobOf(after, stopped).waitingSeconds(1010))
                        .as(stopped)
                        .isEqualTo(10);
            }
        }

        @Test
        void stopsPreparationsThereAndTakesItsLoansFromOthers() {
            RoundProblem before = problem()
                    .now(2000)
                    .nodes(4, 4)
                    .node(node("gone", 4).state(NodeState.LOST))
                    .preparations(
                            preparation("stops").on("gone", 16, new Loan("n2", 16)),
                            preparation("borrows").on("n1", 16, new Loan("gone", 4), new Loan("n2", 4)))
                    .build();

            List<Preparation> after = NodeLossHandling.stopJobs(before).preparations();

            assertThat(after.get(0).grant()).isNull();
            assertThat(after.get(0).waitingSeconds(2010)).isEqualTo(10);
            assertThat(after.get(1))
                    .isEqualTo(preparation("borrows")
                            .on("n1", 16, new Loan("n2", 4))
                            .build());
        }
    }
}

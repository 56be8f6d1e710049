package dev.spur.solver.dataprep;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PreparationsCheck;
import dev.spur.solver.RandomPreparations;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Preparations of 32 GiB and 4 CPUs, on nodes of 64 GiB, of which lenders keep 8 free. */
class PreparationPlannerTest {
    private static NodeFixture host(String id) {
        return node(id, 2).cpus(16).memory(64);
    }

    private static PreparationPlan plan(ProblemFixture fixture) {
        RoundProblem problem = fixture.build();
        PreparationPlan plan = PreparationPlanner.plan(problem, RandomPreparations.training(problem));
        assertThat(PreparationsCheck.violations(problem, RandomPreparations.training(problem), plan))
                .isEmpty();
        return plan;
    }

    private static Map<String, PreparationAllocation> grants(ProblemFixture fixture) {
        return plan(fixture).running().stream()
                .collect(Collectors.toMap(PlannedPreparation::jobId, PlannedPreparation::grant));
    }

    private static PendingJob waits(ProblemFixture fixture) {
        List<PendingJob> pendingJobs = plan(fixture).waiting();
        assertThat(pendingJobs).hasSize(1);
        return pendingJobs.get(0);
    }

    @Nested
    class WhatStarts {
        @Test
        void hasAllInTheMemoryOfTheTightestNodeThatHoldsIt() {
            PreparationPlan plan = plan(
                    problem().node(host("n1")).node(host("n2")).used("n2", 30).preparations(preparation("p")));

            assertThat(plan.running().get(0).grant())
                    .isEqualTo(new PreparationAllocation("n2", 4, 32, List.of(), 1000));
            assertThat(plan.running().get(0).slowDown()).isEqualTo(1);
            assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
        }

        @Test
        void borrowsWhatItsNodeDoesNotHave() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1"))
                    .node(host("n2").cpus(0))
                    .used("n1", 48)
                    .preparations(preparation("p")));

            assertThat(grants)
                    .containsEntry("p", new PreparationAllocation("n1", 4, 16, List.of(new Loan("n2", 16)), 1000));
        }

        @Test
        void borrowsInItsOwnRackIfItCan() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1").rack("r"))
                    .node(host("n2").cpus(0).rack("other"))
                    .node(host("n3").cpus(0).rack("r"))
                    .node(host("n4").cpus(0).rack("other"))
                    .used("n1", 48)
                    .preparations(preparation("p")));

            assertThat(grants.get("p").loans()).containsExactly(new Loan("n3", 16));
        }

        @Test
        void borrowsWhereItIsLeastLikelyToBeTakenBack() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1"))
                    .node(host("n2").cpus(0))
                    .node(host("n3").cpus(0))
                    .used("n1", 48)
                    .used("n2", 0, 0.9)
                    .used("n3", 0, 0.1)
                    .preparations(preparation("p")));

            assertThat(grants.get("p").loans()).containsExactly(new Loan("n3", 16));
        }

        @Test
        void isWhatIsWorthMoreWhenNotAllCan() {
            ProblemFixture fixture = problem()
                    .node(host("n1").memory(32))
                    .preparations(preparation("light"), preparation("heavy").weight(2));

            assertThat(grants(fixture)).containsOnlyKeys("heavy");
        }
    }

    @Nested
    class WhatRuns {
        @Test
        void growsIntoMemoryThatIsFreeAndGivesLoansBack() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .used("n1", 40)
                    .preparations(preparation("p").on("n1", 16, new Loan("n2", 16))));

            assertThat(grants)
                    .containsEntry("p", new PreparationAllocation("n1", 4, 24, List.of(new Loan("n2", 8)), 500));
        }

        @Test
        void goesBeforeWhatWaitsForItsMemory() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1").memory(32))
                    .preparations(
                            preparation("p").on("n1", 32), preparation("q").weight(1000)));

            assertThat(grants).containsOnlyKeys("p");
        }

        @Test
        void borrowsElsewhereWhatIsTakenBack() {
            Map<String, PreparationAllocation> grants = grants(problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .node(host("n3"))
                    .used("n1", 48)
                    .used("n2", 50)
                    .preparations(preparation("p").on("n1", 16, new Loan("n2", 16))));

            assertThat(grants.get("p").loans()).containsExactly(new Loan("n2", 6), new Loan("n3", 10));
        }
    }

    @Nested
    class ALenderInNeed {
        private ProblemFixture lending(double used) {
            return problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .used("n1", 32)
                    .used("n2", used)
                    .preparations(
                            preparation("idle").on("n1", 16, new Loan("n2", 16)).activity("n2", 1),
                            preparation("busy").on("n1", 16, new Loan("n2", 16)).activity("n2", 9),
                            preparation("unknown").workingSet(20).on("n1", 12, new Loan("n2", 8)));
        }

        @Test
        void getsNothingBackWhileItKeepsItsHeadroom() {
            Map<String, PreparationAllocation> grants = grants(lending(16));

            assertThat(grants.values())
                    .extracting(PreparationAllocation::borrowedGiB)
                    .containsExactlyInAnyOrder(16, 16, 8);
        }

        @Test
        void getsBackWhatItNeedsAndNoMoreFromTheLeastActiveLoan() {
            Map<String, PreparationAllocation> grants = grants(lending(26));

            assertThat(grants.get("idle").borrowedGiB()).isEqualTo(6);
            assertThat(grants.get("busy").borrowedGiB()).isEqualTo(16);
            assertThat(grants.get("unknown").borrowedGiB()).isEqualTo(8);
        }

        @Test
        void goesOnToTheNextOneWhenThatIsNotEnough() {
            Map<String, PreparationAllocation> grants = grants(lending(40));

            assertThat(grants.get("idle").borrowedGiB()).isZero();
            assertThat(grants.get("busy").borrowedGiB()).isEqualTo(8);
            assertThat(grants.get("unknown").borrowedGiB()).isEqualTo(8);
        }

        @Test
        void getsAllBackWhenDrainedOrReservedOrLendingIsDisabledOrRefused() {
            ProblemFixture drains = lending(0).reservation(new Reservation("r", List.of("n2"), null, 0, 2000));
            ProblemFixture off = lending(0).lending(new LendingSettings(false, 8, 0.1, 2));
            ProblemFixture leaves = problem()
                    .node(host("n1"))
                    .node(host("n2").state(NodeState.DRAINING))
                    .used("n1", 48)
                    .preparations(preparation("p").on("n1", 16, new Loan("n2", 16)));

            ProblemFixture refuses = problem()
                    .node(host("n1"))
                    .node(host("n2"))
                    .used("n1", 48)
                    .refusingToLend("n2")
                    .preparations(preparation("p").on("n1", 16, new Loan("n2", 16)));

            for (ProblemFixture fixture : List.of(drains, off, leaves, refuses)) {
                assertThat(grants(fixture).values())
                        .extracting(PreparationAllocation::borrowedGiB)
                        .containsOnly(0);
            }
        }

        @Test
        void leavesTheBorrowerSlowerButRunning() {
            PreparationPlan plan = plan(lending(56));

            assertThat(plan.running()).hasSize(3).allMatch(planned -> planned.slowDown() > 6);
            assertThat(plan.running().get(0).message()).contains("on disk");
        }
    }

    @Nested
    class WhoWaitsIsTold {
        @Test
        void thatNoNodeIsInItsPools() {
            assertThat(waits(problem()
                                    .node(host("n1"))
                                    .preparations(preparation("p").pools("side")))
                            .reason())
                    .isEqualTo(PendingReason.NO_MATCHING_NODES);
        }

        @Test
        void thatItNeverFits() {
            assertThat(waits(problem()
                                    .node(host("n1"))
                                    .preparations(preparation("p").workingSet(65)))
                            .reason())
                    .isEqualTo(PendingReason.UNSATISFIABLE);
            assertThat(waits(problem()
                                    .node(host("n1"))
                                    .preparations(preparation("p").cpus(17)))
                            .reason())
                    .isEqualTo(PendingReason.UNSATISFIABLE);
        }

        @Test
        void thatNodesDrainOrAreReserved() {
            assertThat(waits(problem()
                                    .node(host("n1").state(NodeState.DRAINING))
                                    .preparations(preparation("p")))
                            .reason())
                    .isEqualTo(PendingReason.NODES_UNAVAILABLE);
            assertThat(waits(problem()
                                    .node(host("n1"))
                                    .reservation(new Reservation("r", List.of("n1"), null, 0, 2000))
                                    .preparations(preparation("p")))
                            .reason())
                    .isEqualTo(PendingReason.RESERVED);
        }

        @Test
        void whatOfCpusIsMissing() {
            PendingJob told = waits(problem()
                    .node(host("n1"))
                    .job(job("t").host(13, 0).on("n1", 1))
                    .preparations(preparation("p")));

            assertThat(told.reason()).isEqualTo(PendingReason.INSUFFICIENT_HOST_RESOURCES);
            assertThat(told.needed()).isEqualTo(4);
            assertThat(told.free()).isEqualTo(3);
        }

        @Test
        void whatOfLocalMemoryIsMissing() {
            PendingJob told = waits(problem().node(host("n1")).used("n1", 57).preparations(preparation("p")));

            assertThat(told.reason()).isEqualTo(PendingReason.INSUFFICIENT_LOCAL_MEMORY);
            assertThat(told.needed()).isEqualTo(8);
            assertThat(told.free()).isEqualTo(7);
            assertThat(told.message()).contains("at least 8 GiB").contains("at most 7 GiB free");
        }

        @Test
        void whatLendersDoNotGive() {
            PendingJob told = waits(problem()
                    .node(host("n1"))
                    .node(host("n2").cpus(0))
                    .used("n1", 48)
                    .used("n2", 41)
                    .preparations(preparation("p")));

            assertThat(told.reason()).isEqualTo(PendingReason.INSUFFICIENT_REMOTE_MEMORY);
            assertThat(told.needed()).isEqualTo(16);
            assertThat(told.free()).isEqualTo(15);
        }

        @Test
        void itsPlaceByWorth() {
            List<PendingJob> pendingJobs = plan(problem()
                            .node(host("n1").memory(20))
                            .node(host("n2").memory(40).cpus(0))
                            .used("n1", 15)
                            .preparations(preparation("p"), preparation("q").weight(2)))
                    .waiting();

            assertThat(pendingJobs).extracting(PendingJob::jobId).containsExactly("q", "p");
            assertThat(pendingJobs).extracting(PendingJob::queuePosition).containsExactly(1, 2);
        }
    }
}

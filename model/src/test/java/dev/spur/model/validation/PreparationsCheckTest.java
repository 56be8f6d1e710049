package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.NodeFixture;
import dev.spur.model.PlanFixture;
import dev.spur.model.PreparationFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.utility.PreparationUtility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Each rule with what just keeps it and what just breaks it: nodes n1, n2, n3 of 64 GiB and 8 CPUs, and one preparation
 * of 32 GiB.
 */
class PreparationsCheckTest {
    private static final Loan HALF_OF_N2 = new Loan("n2", 16);
    private static final PreparationAllocation SPLIT =
            new PreparationAllocation("n1", 4, 16, List.of(HALF_OF_N2), 1000);

    private static ProblemFixture cluster() {
        return problem()
                .node(host("n1"))
                .node(host("n2"))
                .node(host("n3"))
                .node(host("side").pool("side"));
    }

    private static NodeFixture host(String id) {
        return node(id, 4).cpus(8).memory(64);
    }

    private static PreparationAllocation grant(String node, int local, Loan... loans) {
        return new PreparationAllocation(node, 4, local, List.of(loans), 1000);
    }

    /** What is wrong when each of the preparations gets what stands at its place; null for those that wait. */
    private static List<String> wrong(ProblemFixture fixture, PreparationAllocation... allocations) {
        return wrong(fixture, Map.of(), allocations);
    }

    private static List<String> wrong(
            ProblemFixture fixture, Map<String, Allocation> trainingAllocations, PreparationAllocation... allocations) {
        RoundProblem problem = fixture.build();
        return rules(problem, trainingAllocations, plan(problem, allocations));
    }

    private static List<String> rules(
            RoundProblem problem, Map<String, Allocation> trainingAllocations, PreparationPlan plan) {
        return PreparationsCheck.violations(problem, trainingAllocations, plan).stream()
                .map(Violation::rule)
                .distinct()
                .toList();
    }

    private static PreparationPlan plan(RoundProblem problem, PreparationAllocation... allocations) {
        PreparationUtility utility = new PreparationUtility(problem);
        List<PlannedPreparation> runningPreparations = new ArrayList<>();
        List<PendingJob> pendingJobs = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < allocations.length; i++) {
            Preparation preparation = problem.preparations().get(i);
            if (allocations[i] == null) {
                pendingJobs.add(waits(preparation.id()));
            } else {
                double own = utility.of(preparation, allocations[i]);
                double slowDown = preparation.spec().slowDown(allocations[i].localGiB(), allocations[i].borrowedGiB());
                runningPreparations.add(new PlannedPreparation(preparation.id(), allocations[i], slowDown, own, ""));
                sum += own;
            }
        }
        return new PreparationPlan(
                runningPreparations, pendingJobs, SolutionQuality.of(SolveStatus.OPTIMAL, sum, sum, 0));
    }

    private static PendingJob waits(String id) {
        return new PendingJob(id, PendingReason.INSUFFICIENT_LOCAL_MEMORY, null, null, null, 1, "");
    }

    private static ProblemFixture one() {
        return cluster().preparations(preparation("p"));
    }

    private static ProblemFixture running(PreparationFixture... preparations) {
        return cluster().preparations(preparations);
    }

    @Nested
    class EveryPreparationIsDecidedOnce {
        @Test
        void notTwiceAndNotNever() {
            RoundProblem problem = one().build();
            PreparationPlan sound = plan(problem, SPLIT);

            assertThat(rules(problem, Map.of(), sound)).isEmpty();
            assertThat(rules(
                            problem,
                            Map.of(),
                            new PreparationPlan(sound.running(), List.of(waits("p")), sound.quality())))
                    .containsExactly("everyPreparationIsDecidedOnce");
            assertThat(rules(problem, Map.of(), new PreparationPlan(List.of(), List.of(), sound.quality())))
                    .containsExactly("everyPreparationIsDecidedOnce");
            assertThat(rules(
                            problem,
                            Map.of(),
                            new PreparationPlan(sound.running(), List.of(waits("x")), sound.quality())))
                    .containsExactly("everyPreparationIsDecidedOnce");
        }

        @Test
        void aPlanForTrainingAloneIsNotEnough() {
            RoundProblem problem = one().build();

            assertThat(PlanCheck.violations(problem, PlanFixture.plan(problem).build()))
                    .extracting(Violation::rule)
                    .containsExactly("everyPreparationIsDecidedOnce");
            assertThat(PlanCheck.violations(
                            problem, PlanFixture.plan(problem).build().withPreparations(plan(problem, SPLIT))))
                    .isEmpty();
        }

        @Test
        void itIsJudgedWithTheWholePlan() {
            RoundProblem problem = one().used("n2", 41).build();

            assertThat(PlanCheck.violations(
                            problem, PlanFixture.plan(problem).build().withPreparations(plan(problem, SPLIT))))
                    .extracting(Violation::rule)
                    .containsExactly("lendersKeepTheirHeadroom");
        }
    }

    @Nested
    class WhoRunsGoesOn {
        private final ProblemFixture problem = running(preparation("p").on("n1", 16, HALF_OF_N2));

        private PreparationAllocation since(double time, String node, int local, Loan... loans) {
            return new PreparationAllocation(node, 4, local, List.of(loans), time);
        }

        @Test
        void withWhatItHasOrMore() {
            assertThat(wrong(problem, since(500, "n1", 16))).isEmpty();
            assertThat(wrong(problem, since(500, "n1", 20, new Loan("n3", 12)))).isEmpty();
        }

        @Test
        void notElsewhereAndNotWithLess() {
            assertThat(wrong(problem, since(500, "n3", 16))).containsExactly("runningPreparationsKeepTheirAllocation");
            assertThat(wrong(problem, since(500, "n1", 15, HALF_OF_N2)))
                    .containsExactly("runningPreparationsKeepTheirAllocation");
            assertThat(wrong(problem, since(501, "n1", 16, HALF_OF_N2)))
                    .containsExactly("runningPreparationsKeepTheirAllocation");
            assertThat(wrong(problem, (PreparationAllocation) null))
                    .containsExactly("runningPreparationsKeepTheirAllocation");
        }
    }

    @Nested
    class TakesMemoryWhereItMay {
        @Test
        void inItsPoolsWithWhatItAsksFor() {
            ProblemFixture problem = running(preparation("p").pools("side"));

            assertThat(wrong(problem, grant("side", 32))).isEmpty();
            assertThat(wrong(problem, grant("n1", 32))).containsExactly("preparationsUseAllowedNodes");
            assertThat(wrong(one(), new PreparationAllocation("n1", 3, 32, List.of(), 1000)))
                    .containsExactly("preparationsGetTheRequestedCpus");
        }

        @Test
        void whatRunsDoesNotGrowOnNodesThatTakeNothingNew() {
            ProblemFixture problem =
                    running(preparation("p").on("c", 16)).node(host("c").state(NodeState.CORDONED));

            assertThat(wrong(problem, new PreparationAllocation("c", 4, 16, List.of(), 500)))
                    .isEmpty();
            assertThat(wrong(problem, new PreparationAllocation("c", 4, 17, List.of(), 500)))
                    .containsExactly("preparationsUseAllowedNodes");
        }

        @Test
        void notOnNodesThatTakeNothingNew() {
            ProblemFixture draining = one().node(host("d").state(NodeState.DRAINING))
                    .reservation(new Reservation("r", List.of("n3"), null, 0, 2000));

            assertThat(wrong(draining, grant("d", 32))).containsExactly("preparationsUseAllowedNodes");
            assertThat(wrong(draining, grant("n3", 32))).containsExactly("preparationsUseAllowedNodes");
        }
    }

    @Nested
    class StartsWithAllOfItsWorkingSet {
        @Test
        void andTheLeastPartOfItLocal() {
            assertThat(wrong(one(), grant("n1", 8, new Loan("n2", 24)))).isEmpty();
            assertThat(wrong(one(), grant("n1", 7, new Loan("n2", 25)))).containsExactly("workingSetIsComplete");
            assertThat(wrong(one(), grant("n1", 16, new Loan("n2", 15)))).containsExactly("workingSetIsComplete");
        }

        @Test
        void andNoMoreThanThat() {
            assertThat(wrong(one(), grant("n1", 33))).containsExactly("allocationFitsTheWorkingSet");
            assertThat(wrong(one(), grant("n1", 16, new Loan("n2", 17))))
                    .containsExactly("allocationFitsTheWorkingSet");
        }
    }

    @Nested
    class HostsAreNotOversubscribed {
        private final ProblemFixture beside = one().job(job("a").slots(1, 4).host(2, 16));

        private Map<String, Allocation> slots(int slots) {
            return Map.of("a", allocation(0, piece("n1", 0, slots)));
        }

        @Test
        void byTrainingAndPreparationsTogether() {
            assertThat(wrong(beside, slots(2), grant("n1", 32))).isEmpty();
            assertThat(wrong(beside, slots(3), grant("n1", 32))).containsExactly("hostsAreNotOversubscribed");
            assertThat(wrong(beside, slots(3), grant("n1", 8, new Loan("n2", 24))))
                    .as("CPUs")
                    .containsExactly("hostsAreNotOversubscribed");
        }

        @Test
        void byWhatStartsWhereOthersUseMemory() {
            assertThat(wrong(one().used("n1", 32), grant("n1", 32))).isEmpty();
            assertThat(wrong(one().used("n1", 32.5), grant("n1", 32))).containsExactly("hostsAreNotOversubscribed");
        }

        @Test
        void butWhatRunsStaysWhereOthersUseMemoryByNow() {
            ProblemFixture problem = running(preparation("p").on("n1", 32)).used("n1", 50);
            ProblemFixture half = running(preparation("p").on("n1", 16)).used("n1", 50);

            assertThat(wrong(problem, problem.build().preparations().get(0).grant()))
                    .isEmpty();
            assertThat(wrong(half, new PreparationAllocation("n1", 4, 17, List.of(), 500)))
                    .containsExactly("hostsAreNotOversubscribed");
        }

        @Test
        void butWhatRunsStaysOnAHostThatHasShrunk() {
            ProblemFixture problem = problem()
                    .node(node("n1", 4).cpus(2).memory(16))
                    .preparations(
                            preparation("p").on("n1", 32),
                            preparation("q").workingSet(4).cpus(1));
            PreparationAllocation stays = problem.build().preparations().get(0).grant();

            assertThat(wrong(problem, stays, null)).isEmpty();
            assertThat(wrong(problem, stays, new PreparationAllocation("n1", 1, 4, List.of(), 1000)))
                    .containsExactly("hostsAreNotOversubscribed");
        }
    }

    @Nested
    class LendersKeepTheirHeadroom {
        @Test
        void besideWhatTheyUseAndGive() {
            assertThat(wrong(one().used("n2", 40), SPLIT)).isEmpty();
            assertThat(wrong(one().used("n2", 40.5), SPLIT)).containsExactly("lendersKeepTheirHeadroom");
            assertThat(wrong(
                            running(preparation("p"), preparation("q").cpus(1)),
                            SPLIT,
                            new PreparationAllocation("n2", 1, 32, List.of(), 1000)))
                    .isEmpty();
        }

        @Test
        void besideTraining() {
            ProblemFixture beside = one().job(job("a").slots(1, 4).host(0, 10));

            assertThat(wrong(beside, Map.of("a", allocation(0, piece("n2", 0, 4))), SPLIT))
                    .isEmpty();
            assertThat(wrong(beside.used("n2", 1), Map.of("a", allocation(0, piece("n2", 0, 4))), SPLIT))
                    .containsExactly("lendersKeepTheirHeadroom");
        }

        @Test
        void alsoForLoansThatAreThereAlready() {
            ProblemFixture problem =
                    running(preparation("p").on("n1", 16, HALF_OF_N2)).used("n2", 41);

            assertThat(wrong(problem, problem.build().preparations().get(0).grant()))
                    .containsExactly("lendersKeepTheirHeadroom");
        }

        @Test
        void ofAShareOfLargeNodes() {
            ProblemFixture large = one().node(node("big", 4).memory(200));

            assertThat(wrong(large.used("big", 164), grant("n1", 16, new Loan("big", 16))))
                    .isEmpty();
            assertThat(wrong(
                            one().node(node("big", 4).memory(200)).used("big", 164.5),
                            grant("n1", 16, new Loan("big", 16))))
                    .containsExactly("lendersKeepTheirHeadroom");
        }
    }

    @Nested
    class FanOutIsLimited {
        private final Loan[] three = {new Loan("n2", 6), new Loan("n3", 5), new Loan("side", 5)};
        private final LendingSettings wide = new LendingSettings(true, 8, 0.1, 3);

        @Test
        void toTheSetting() {
            assertThat(wrong(one().lending(wide), grant("n1", 16, three))).isEmpty();
            assertThat(wrong(one(), grant("n1", 16, three))).containsExactly("fanOutIsLimited");
        }

        @Test
        void butNoPreparationHasToDropALenderForIt() {
            ProblemFixture problem = running(preparation("p").on("n1", 16, three));

            assertThat(wrong(problem, problem.build().preparations().get(0).grant()))
                    .isEmpty();
        }
    }

    @Nested
    class LendersMayLend {
        private final LendingSettings off = new LendingSettings(false, 8, 0.1, 2);

        @Test
        void unlessLendingIsDisabled() {
            assertThat(wrong(one().lending(off), SPLIT)).containsExactly("lendersMayLend");
            assertThat(wrong(one().lending(off), grant("n1", 32))).isEmpty();
        }

        @Test
        void unlessTheyRefuse() {
            assertThat(wrong(one().refusingToLend("n2"), SPLIT)).containsExactly("lendersMayLend");
            assertThat(wrong(one().refusingToLend("n1"), SPLIT)).isEmpty();
        }

        @Test
        void inThePoolsOfTheBorrower() {
            assertThat(wrong(running(preparation("p").pools("main")), grant("n1", 16, new Loan("side", 16))))
                    .containsExactly("lendersMayLend");
        }

        @Test
        void unlessTheyAreReservedOrLeaveService() {
            ProblemFixture problem = one().node(host("d").state(NodeState.CORDONED))
                    .reservation(new Reservation("r", List.of("n3"), null, 0, 2000));

            assertThat(wrong(problem, grant("n1", 16, new Loan("n3", 16)))).containsExactly("lendersMayLend");
            assertThat(wrong(problem, grant("n1", 16, new Loan("d", 16)))).containsExactly("lendersMayLend");
        }

        @Test
        void whatACordonedNodeLendsStays() {
            ProblemFixture problem = running(preparation("p").on("n1", 16, new Loan("d", 8)))
                    .node(host("d").state(NodeState.CORDONED));

            assertThat(wrong(problem, new PreparationAllocation("n1", 4, 16, List.of(new Loan("d", 8)), 500)))
                    .isEmpty();
            assertThat(wrong(problem, new PreparationAllocation("n1", 4, 16, List.of(new Loan("d", 9)), 500)))
                    .containsExactly("lendersMayLend");
        }
    }

    @Nested
    class WorthIsAsStated {
        @Test
        void alsoTheSlowDownAndTheBound() {
            RoundProblem problem = one().build();
            PlannedPreparation sound = plan(problem, SPLIT).running().get(0);
            double utility = sound.utility();

            assertThat(rules(problem, Map.of(), stated(sound, utility, 2, utility)))
                    .isEmpty();
            assertThat(rules(problem, Map.of(), stated(sound, utility * 1.01, 2, utility * 1.01)))
                    .containsExactly("utilityIsAsStated");
            assertThat(rules(problem, Map.of(), stated(sound, utility, 1.9, utility)))
                    .containsExactly("utilityIsAsStated");
            assertThat(rules(problem, Map.of(), stated(sound, utility, 2, utility * 1.01)))
                    .containsExactly("utilityIsAsStated");
        }

        private PreparationPlan stated(PlannedPreparation sound, double utility, double slowDown, double sum) {
            return new PreparationPlan(
                    List.of(new PlannedPreparation("p", sound.grant(), slowDown, utility, "")),
                    List.of(),
                    new SolutionQuality(SolveStatus.OPTIMAL, sum, sum, 0, 0, 1));
        }
    }
}

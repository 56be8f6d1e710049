package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.RandomProblems;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A nominal quota is a guarantee: what others borrow can be reclaimed. */
class QuotaGuaranteeTest {
    private static final Quota FOUR = new Quota(4, null, null);

    private static RoundPlan plan(ProblemFixture fixture) {
        RoundProblem problem = fixture.build();
        RoundPlan plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        return plan;
    }

    private static Set<String> running(ProblemFixture fixture) {
        return plan(fixture).running().stream().map(PlannedJob::jobId).collect(Collectors.toSet());
    }

    private static ProblemFixture siblings() {
        return problem().nodes(8).tenant("x", "root", FOUR).tenant("y", "root", FOUR);
    }

    @Nested
    class AJobThatIsNotPreemptible {
        @Test
        void startsWithinTheNominalQuotaOnly() {
            assertThat(running(siblings().job(job("x").tenant("x").slots(4).notPreemptible())))
                    .containsExactly("x");
            assertThat(running(siblings().job(job("x").tenant("x").slots(5).notPreemptible())))
                    .isEmpty();
            assertThat(running(siblings().job(job("x").tenant("x").slots(5)))).containsExactly("x");
        }

        @Test
        void countsTogetherWithOthersOfItsTenant() {
            ProblemFixture two = siblings()
                    .jobs(
                            job("a").tenant("x").slots(3).notPreemptible().on("n1", 3),
                            job("b").tenant("x").slots(2).notPreemptible());

            assertThat(running(two)).containsExactly("a");
        }

        @Test
        void mayBorrowIfTheSettingsSaySo() {
            assertThat(running(siblings()
                            .nonPreemptibleJobsMayBorrow()
                            .job(job("x").tenant("x").slots(8).notPreemptible())))
                    .containsExactly("x");
        }

        @Test
        void staysWhereTheQuotaWasLowered() {
            ProblemFixture lowered = siblings()
                    .jobs(
                            job("a").tenant("x").slots(8).notPreemptible().on("n1", 8),
                            job("b").tenant("x").slots(1).notPreemptible(),
                            job("y").tenant("y").slots(2));

            assertThat(running(lowered)).containsExactly("a");
        }

        @Test
        void countsInEveryAncestorWithAQuota() {
            ProblemFixture tree = problem()
                    .nodes(8)
                    .tenant("x", "root", FOUR)
                    .tenant("xa", "x", FOUR)
                    .tenant("xb", "x", FOUR)
                    .tenant("y", "root", FOUR)
                    .jobs(
                            job("a").tenant("xa").slots(4).weight(2).notPreemptible(),
                            job("b").tenant("xb").slots(4).notPreemptible());

            assertThat(running(tree)).containsExactly("a");
        }

        @Test
        void saysThatItCannotBorrow() {
            RoundPlan plan = plan(siblings().job(job("x").tenant("x").slots(5).notPreemptible()));

            assertThat(plan.waiting()).singleElement().satisfies(pendingJob -> {
                assertThat(pendingJob.reason()).isEqualTo(PendingReason.QUOTA_EXCEEDED);
                assertThat(pendingJob.message())
                        .contains("cannot borrow")
                        .contains("non-preemptible jobs of x may hold 4 slots of A100 and hold 0");
            });
        }
    }

    @Nested
    class ABorrowerGivesWay {
        /** Tenants with nominal quotas of 4 and 12 on 8 slots that are left of 16; x borrows 4. */
        private static ProblemFixture afterALoss(int minSlots) {
            return problem()
                    .nodes(8)
                    .node(node("lost", 8).state(NodeState.LOST))
                    .tenant("x", "root", FOUR)
                    .tenant("y", "root", new Quota(12, null, null))
                    .jobs(
                            job("x1").tenant("x").slots(4).weight(9).work(1e8).on("n1", 0, 4),
                            job("x2").tenant("x").slots(4).weight(9).work(1e8).on("n1", 4, 4),
                            job("y").tenant("y").slots(minSlots).weight(0.01));
        }

        @Test
        void alsoWhereNodesWereLost() {
            assertThat(running(afterALoss(4))).hasSize(2).contains("y");
        }

        @Test
        void butTenantsWithinTheirNominalQuotasCompete() {
            assertThat(running(afterALoss(8))).hasSize(1).doesNotContain("y");
        }

        @Test
        void toATenantOfALowerClassToo() {
            ProblemFixture fixture = siblings();
            for (int i = 0; i < 8; i++) {
                fixture.job(job("x" + i).tenant("x").priority(5).work(1e8).on("n1", i, 1));
            }

            assertThat(running(fixture.job(job("y").tenant("y").slots(2))))
                    .contains("y")
                    .hasSize(7);
        }

        @Test
        void andItsNameAndNumbersAreInTheReason() {
            ProblemFixture protectedBorrower = siblings()
                    .jobs(
                            job("x").tenant("x").slots(8).notPreemptible().on("n1", 8),
                            job("y").tenant("y").slots(2));

            assertThat(plan(protectedBorrower).waiting())
                    .singleElement()
                    .satisfies(pendingJob -> assertThat(pendingJob.message())
                            .contains("Within the nominal quota of tenant y, 0 of 4 are in use")
                            .contains("tenant x holds 8 slots of A100, 4 above its nominal quota of 4"));
        }
    }

    @Test
    void theRuleHoldsInEveryProgramOfRandomRounds() {
        for (long seed = 350_000; seed < 350_300; seed++) {
            RoundProblem problem = RandomProblems.problem(seed, 6, 14);
            List<Job> jobs = problem.jobs().stream()
                    .map(job -> job.allocation() == null
                            ? job.withSpec(job.spec().edit().preemptible(false).build())
                            : job)
                    .toList();
            RoundProblem fixed = problem.withJobs(jobs);

            assertThat(PlanCheck.violations(fixed, Policies.spur().plan(fixed)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }
}

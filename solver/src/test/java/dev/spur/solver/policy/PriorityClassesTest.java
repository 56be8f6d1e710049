package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Priority classes: the order of the jobs before their weights. */
class PriorityClassesTest {
    private static Map<Integer, ClassQuality> classes(RoundPlan plan) {
        return plan.quality().classes().stream().collect(Collectors.toMap(ClassQuality::priority, own -> own));
    }

    @Nested
    class EachClassTakesItsOptimum {
        @ParameterizedTest(name = "{1} problems from seed {0} with up to {2} nodes and {3} jobs, grouped: {4}")
        @CsvSource({
            "300000, 400, 3, 4, false",
            "310000, 150, 4, 5, false",
            "320000, 150, 2, 6, false",
            "330000, 100, 3, 4, true"
        })
        void onWhatTheHigherOnesLeave(long first, int seeds, int nodes, int jobs, boolean grouped) {
            int unproved = 0;
            for (long seed = first; seed < first + seeds; seed++) {
                RoundProblem problem = RandomProblems.withoutObligations(
                        grouped
                                ? GroupedProblems.problem(seed, nodes, jobs)
                                : RandomProblems.problem(seed, nodes, jobs));

                RoundPlan plan = Policies.spur().plan(problem);

                assertThat(PlanCheck.violations(problem, plan))
                        .as("plan for seed %d", seed)
                        .isEmpty();
                unproved += isOptimal(CandidateGenerator.generate(problem), plan, seed) ? 0 : 1;
            }
            assertThat(unproved).as("plans that are not proved optimal").isLessThanOrEqualTo(seeds / 100);
        }

        /** Compares class by class with the enumerated optimum; returns whether the plan is proved optimal. */
        private static boolean isOptimal(CandidateSet candidates, RoundPlan plan, long seed) {
            boolean isProved = plan.quality().status() == SolveStatus.OPTIMAL;
            Map<Integer, Double> floors = new HashMap<>();
            for (ClassQuality own : plan.quality().classes()) {
                double best = Enumeration.bestOfClass(candidates, own.priority(), floors);
                double rounding = 2e-6 * Math.max(1, Math.abs(best));

                assertThat(own.objectiveValue())
                        .as("value of class %d for seed %d", own.priority(), seed)
                        .isBetween(isProved ? best - rounding : Double.NEGATIVE_INFINITY, best + rounding);
                assertThat(own.bestBound())
                        .as("bound of class %d for seed %d", own.priority(), seed)
                        .isGreaterThanOrEqualTo(best - rounding);
                floors.put(own.priority(), own.objectiveValue());
            }
            return isProved;
        }
    }

    private static Set<String> running(ProblemFixture fixture) {
        return running(Policies.spur().plan(fixture.build()));
    }

    private static Set<String> running(RoundPlan plan) {
        return plan.running().stream().map(PlannedJob::jobId).collect(Collectors.toSet());
    }

    @Nested
    class NoNumberOfLowerJobsOutranksAHigherOne {
        /** A published case for KAI with a tenth of its nodes: one gang against all jobs that run. */
        @Test
        void aGangOfHalfTheClusterStartsInTheNextRound() {
            ProblemFixture fixture = problem();
            for (int node = 1; node <= 50; node++) {
                fixture.node("n" + node, 8);
                for (int slot = 0; slot < 8; slot++) {
                    fixture.job(
                            job("low" + node + "-" + slot).weight(100).work(1e8).on("n" + node, slot, 1));
                }
            }
            RoundProblem problem = fixture.job(job("high")
                            .slots(200)
                            .batch(new BatchLimits(200, 200, 200, 1, Map.of(), false))
                            .priority(10)
                            .work(1e9))
                    .build();

            RoundPlan plan = Policies.spur().plan(problem);

            assertThat(running(plan)).contains("high").hasSize(201);
            assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        }

        /** The start is 70 s ago, and its stall takes 60 s. */
        @Test
        void aJobThatStartedRecentlyGivesWay() {
            JobFixture recent = job("low").restartPenalty(60).holding(allocation(930, piece("n1", 0, 1)));

            assertThat(running(problem().nodes(1).jobs(recent, job("high").priority(1))))
                    .containsExactly("high");
            assertThat(running(problem().nodes(1).jobs(recent, job("equal").weight(100))))
                    .containsExactly("low");
        }

        @Test
        void theValueOfAHigherClassDoesNotDependOnLowerJobs() {
            for (long seed = 340_000; seed < 340_100; seed++) {
                Random random = new Random(seed);
                RoundProblem whole = RandomProblems.withoutObligations(RandomProblems.problem(seed, 5, 12));
                RoundProblem problem = whole.withJobs(whole.jobs().stream()
                        .filter(job -> !JobPins.of(whole).isPinned(job))
                        .toList());
                RoundProblem free =
                        withoutQuotas(problem.withSettings(problem.settings().withMaxRestarts(null)));
                List<Job> fewer = free.jobs().stream()
                        .filter(job -> job.spec().priority() == 1 || random.nextBoolean())
                        .toList();

                ClassQuality alone =
                        classes(Policies.spur().plan(free.withJobs(fewer))).get(1);
                ClassQuality together = classes(Policies.spur().plan(free)).get(1);

                if (alone != null) {
                    assertThat(together.objectiveValue())
                            .as("seed %d", seed)
                            .isBetween(alone.objectiveValue() - 1e-5, alone.objectiveValue() + 1e-5);
                }
            }
        }

        /** A reserved nominal share precedes classes, so that jobs of lower classes count there. */
        private static RoundProblem withoutQuotas(RoundProblem problem) {
            return problem.withTenants(problem.tenants().stream()
                    .map(tenant -> new Tenant(tenant.name(), tenant.parent(), tenant.weight(), Map.of()))
                    .toList());
        }

        @Test
        void aGuaranteeOfALowerJobStaysAndANewOneDoesNotDisplace() {
            JobFixture given = job("low")
                    .slots(4)
                    .work(400)
                    .deadline(2000, DeadlineStatus.GUARANTEED)
                    .on("n1", 4);
            JobFixture asked = job("low").slots(4).work(400).deadline(2000, DeadlineStatus.PENDING);

            assertThat(running(
                            problem().nodes(4).jobs(given, job("high").slots(4).priority(5))))
                    .containsExactly("low");
            assertThat(running(
                            problem().nodes(4).jobs(asked, job("high").slots(4).priority(5))))
                    .containsExactly("high");
        }

        @Test
        void aStarvingJobOfALowerClassWaits() {
            ProblemFixture fixture = problem()
                    .nodes(4)
                    .starvationLimit(100)
                    .jobs(
                            job("low").slots(4).waitingSince(0),
                            job("high").slots(4).priority(1).waitingSince(990));

            assertThat(running(fixture)).containsExactly("high");
        }
    }

    @Nested
    class AmongEqualPlansOfAClass {
        @Test
        void theOneThatCostsLowerClassesLeastIsChosen() {
            ProblemFixture fixture = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("dear").slots(4).weight(5).work(1e8).on("n1", 4),
                            job("cheap").slots(4).weight(1).work(1e8).on("n2", 4),
                            job("high").slots(4).priority(2));

            assertThat(running(fixture)).containsExactlyInAnyOrder("dear", "high");
        }

        @Test
        void freeSlotsComeBeforeSlotsOfLowerJobs() {
            ProblemFixture fixture = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("low").slots(4).work(1e8).on("n1", 4),
                            job("high").slots(4).priority(2));

            assertThat(running(fixture)).containsExactlyInAnyOrder("low", "high");
        }

        @Test
        void theRestartLimitCountsTheJobsOfAllClasses() {
            ProblemFixture fixture = problem()
                    .nodes(2, 2)
                    .maxRestarts(1)
                    .jobs(
                            job("a").slots(2).work(1e8).on("n1", 2),
                            job("b").slots(2).work(1e8).on("n2", 2),
                            job("h1").slots(2).priority(2),
                            job("h2").slots(2).priority(1));

            assertThat(running(fixture)).contains("h1").doesNotContain("h2").hasSize(2);
        }
    }

    @Nested
    class APreemptionPolicyOfNever {
        private static ProblemFixture full(JobFixture... more) {
            return problem()
                    .nodes(4)
                    .jobs(
                            job("low").slots(3).weight(9).on("n1", 3),
                            job("waits").slots(1).waitingSince(1000))
                    .jobs(more);
        }

        @Test
        void stopsNoRunningJobOfALowerClass() {
            assertThat(running(full(job("high").slots(2).priority(5).neverPreempts())))
                    .containsExactlyInAnyOrder("low", "waits");
            assertThat(running(full(job("high").slots(2).priority(5))))
                    .contains("high")
                    .doesNotContain("low");
        }

        @Test
        void queuesAheadOfWaitingJobsOfLowerClasses() {
            assertThat(running(full(job("high").slots(1).priority(5).neverPreempts())))
                    .containsExactlyInAnyOrder("low", "high");
        }

        @Test
        void leavesOtherJobsOfItsClassTheirRight() {
            JobFixture never = job("never").slots(1).priority(5).weight(9).neverPreempts();
            JobFixture stops = job("stops").slots(3).priority(5);

            assertThat(running(full(never, stops))).containsExactlyInAnyOrder("never", "stops");
        }

        @Test
        void isSaidInThePendingReason() {
            RoundPlan plan = Policies.spur()
                    .plan(full(job("high").slots(2).priority(5).neverPreempts()).build());

            assertThat(plan.waiting()).singleElement().satisfies(pendingJob -> {
                assertThat(pendingJob.reason()).isEqualTo(PendingReason.PREEMPTION_POLICY);
                assertThat(pendingJob.message()).contains("jobs of lower priority hold them");
            });
        }
    }

    @Test
    void theReasonNamesTheClassThatHoldsTheSlots() {
        RoundPlan plan = Policies.spur()
                .plan(problem()
                        .nodes(4)
                        .jobs(
                                job("high").slots(4).priority(10),
                                job("low").slots(2).weight(100))
                        .build());

        assertThat(plan.waiting()).singleElement().satisfies(pendingJob -> {
            assertThat(pendingJob.reason()).isEqualTo(PendingReason.LOWER_PRIORITY);
            assertThat(pendingJob.message()).contains("jobs of priority 10 hold them");
        });
    }

    @Test
    void eachClassHasItsValueAndItsBound() {
        RoundPlan plan = Policies.spur()
                .plan(problem()
                        .nodes(4)
                        .jobs(
                                job("high").slots(2).priority(10),
                                job("low").slots(2),
                                job("waits").slots(2))
                        .build());

        assertThat(plan.quality().classes()).extracting(ClassQuality::priority).containsExactly(10, 0);
        assertThat(plan.quality().classes())
                .allSatisfy(own -> assertThat(own.gap()).isZero());
        assertThat(plan.quality().classes().stream()
                        .mapToDouble(ClassQuality::objectiveValue)
                        .sum())
                .isCloseTo(plan.quality().objectiveValue(), within(1e-9));
    }
}

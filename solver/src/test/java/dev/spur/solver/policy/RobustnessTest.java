package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.UnplaceableObligations;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every plan of Spur's policies, whatever the problem. */
class RobustnessTest {
    private static Map<String, Allocation> allocations(RoundPlan plan) {
        return plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
    }

    private static RoundPlan withoutTimes(RoundPlan plan) {
        SolverStats stats = plan.stats();
        return new RoundPlan(
                plan.running(),
                plan.waiting(),
                plan.deadlineStatuses(),
                plan.quality(),
                new SolverStats(
                        stats.jobs(),
                        stats.candidates(),
                        stats.couplingConstraints(),
                        stats.work(),
                        List.of(),
                        stats.duals(),
                        stats.shadowPrices(),
                        stats.idleSlots()),
                plan.memory());
    }

    @Nested
    class TheSameProblem {
        @ParameterizedTest(name = "{1} workers, 20 problems from seed {0}")
        @CsvSource({"0, 1", "20, 1", "40, 2"})
        void alwaysHasTheSamePlan(long first, int workers) {
            for (long seed = first; seed < first + 20; seed++) {
                RoundProblem drawn = RandomProblems.problem(seed, 8, 12);
                RoundProblem problem =
                        drawn.withSettings(drawn.settings().withEffort(0, new SolveBudget(20, 120, workers, 1)));

                RoundPlan once = Policies.spur().plan(problem);

                assertThat(withoutTimes(Policies.spur().plan(problem)))
                        .as("seed %d", seed)
                        .isEqualTo(withoutTimes(once));
            }
        }
    }

    @Nested
    class AnotherUnitOfWork {
        @ParameterizedTest
        @ValueSource(doubles = {1024, 1 / 64.0})
        void changesNothing(double factor) {
            for (long seed = 0; seed < 20; seed++) {
                RoundProblem problem = RandomProblems.problem(seed, 6, 10);

                RoundPlan scaled = Policies.spur().plan(scaled(problem, factor));

                assertThat(allocations(scaled))
                        .as("seed %d", seed)
                        .isEqualTo(allocations(Policies.spur().plan(problem)));
            }
        }

        @Test
        void changesNoWorthBeyondRoundingWhereItIsNoPowerOfTwo() {
            for (long seed = 100; seed < 120; seed++) {
                RoundProblem problem = RandomProblems.problem(seed, 6, 10);
                double worth = Policies.spur().plan(problem).quality().objectiveValue();

                assertThat(Policies.spur().plan(scaled(problem, 3.7)).quality().objectiveValue())
                        .as("seed %d", seed)
                        .isCloseTo(worth, within(1e-6 * Math.max(1, worth)));
            }
        }

        private static RoundProblem scaled(RoundProblem problem, double factor) {
            return problem.withJobs(problem.jobs().stream()
                    .map(job -> new Job(
                            job.id(),
                            job.tenant(),
                            job.arrival(),
                            scaled(job.spec(), factor),
                            job.remainingSamples() * factor,
                            job.deadline(),
                            job.deadlineStatus(),
                            job.history(),
                            job.allocation()))
                    .toList());
        }

        private static JobSpec scaled(JobSpec spec, double factor) {
            return spec.edit()
                    .work(new Work(spec.work().unit(), spec.work().amount() * factor, null))
                    .speed(scaled(spec.profile(), factor), spec.efficiency())
                    .build();
        }

        private static ThroughputProfile scaled(ThroughputProfile profile, double factor) {
            return new ThroughputProfile(
                    profile.points().stream()
                            .map(point -> new ProfilePoint(
                                    point.acceleratorType(),
                                    point.slots(),
                                    point.nodes(),
                                    point.batchSize(),
                                    point.strategy(),
                                    point.aggregationSlots(),
                                    point.samplesPerSecond() * factor))
                            .toList(),
                    profile.ratios());
        }
    }

    @Nested
    class ALoneJobThatFits {
        @ParameterizedTest(name = "100 problems from seed {0}")
        @ValueSource(longs = {0, 100})
        void runs(long first) {
            int runs = 0;
            for (long seed = first; seed < first + 100; seed++) {
                RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(seed, 4, 3));
                Job job = problem.jobs().get(0).withAllocation(null);
                RoundProblem alone = problem.withJobs(List.of(job));
                List<Candidate> freshCandidates =
                        CandidateGenerator.generate(alone).of(0).freshCandidates();
                boolean gains = freshCandidates.stream().anyMatch(candidate -> candidate.utility() > 0);

                RoundPlan plan = Policies.spur().plan(alone);

                boolean quota = plan.waiting().stream()
                        .anyMatch(pendingJob -> pendingJob.reason() == PendingReason.QUOTA_EXCEEDED);
                assertThat(plan.running().size() == 1 || quota || !gains)
                        .as("seed %d", seed)
                        .isTrue();
                runs += plan.running().size();
            }
            assertThat(runs).isGreaterThan(40);
        }

        @Test
        void runsThoughItsProfileHoldsAZeroAtItsFewestSlots() {
            for (ObjectiveKind kind : ObjectiveKind.values()) {
                RoundPlan plan = Policies.spur()
                        .plan(problem()
                                .nodes(4)
                                .objective(kind)
                                .job(job("a").slots(1, 4)
                                        .speeds(0, 180, 250, 300)
                                        .revenue(100))
                                .build());

                assertThat(plan.running()).as("%s", kind).hasSize(1);
            }
        }
    }

    @Nested
    class WithoutTimeOrWork {
        @ParameterizedTest(name = "60 problems from seed {0}")
        @ValueSource(longs = {0, 60})
        void thePlanStillPassesTheJudge(long first) {
            for (long seed = first; seed < first + 60; seed++) {
                boolean isOneClass = seed % 2 == 0;
                RoundProblem several = RandomProblems.problem(seed, 12, 30);
                RoundProblem drawn = isOneClass ? RandomProblems.inOneClass(several) : several;
                RoundProblem problem =
                        drawn.withSettings(drawn.settings().withEffort(0, new SolveBudget(1e-9, 1e-9, 1, 1)));

                RoundPlan plan = Policies.spur().plan(problem);

                assertThat(PlanCheck.violations(problem, plan))
                        .as("seed %d", seed)
                        .isEmpty();
                assertThat(plan.quality().bestBound())
                        .isGreaterThanOrEqualTo(plan.quality().objectiveValue());
                assertThat(plan.quality().objectiveValue())
                        .as("no worse than doing nothing, seed %d", seed)
                        .isGreaterThanOrEqualTo(
                                isOneClass ? plan.quality().fallbackObjectiveValue() - 1e-9 : Double.NEGATIVE_INFINITY);
            }
        }

        @Test
        void theBoundStillHolds() {
            for (long seed = 0; seed < 40; seed++) {
                RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(seed, 6, 10));
                RoundProblem hurried =
                        problem.withSettings(problem.settings().withEffort(0, new SolveBudget(1e-9, 1e-9, 1, 1)));

                List<ClassQuality> best =
                        Policies.spur().plan(problem).quality().classes();
                List<ClassQuality> found =
                        Policies.spur().plan(hurried).quality().classes();

                // the bound of a class is for plans that give the higher classes the same
                boolean isSame = true;
                for (int k = 0; k < best.size() && isSame; k++) {
                    assertThat(found.get(k).bestBound())
                            .as("seed %d, class %d", seed, k)
                            .isGreaterThanOrEqualTo(best.get(k).objectiveValue() - 1e-9);
                    isSame =
                            Math.abs(found.get(k).objectiveValue() - best.get(k).objectiveValue()) < 1e-9;
                }
            }
        }
    }

    @Nested
    class ObligationsThatNoPlacementHolds {
        @Test
        void doNotStopTheRound() {
            RoundProblem problem = UnplaceableObligations.problem();
            RoundPlan plan = Policies.spur().plan(problem);

            assertThat(PlanCheck.violations(problem, plan)).isEmpty();
            assertThat(plan.deadlineStatuses()).containsEntry("promised", DeadlineStatus.GUARANTEED);
            assertThat(allocations(plan)).containsOnlyKeys("pin", "promised", "small");
            assertThat(plan.quality().status()).isEqualTo(SolveStatus.OPTIMAL);
        }
    }
}

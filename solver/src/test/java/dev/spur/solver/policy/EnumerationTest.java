package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.EnumeratedObligations;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.RoleProblems;
import dev.spur.solver.SensitiveProblems;
import dev.spur.solver.ShareProblems;
import dev.spur.solver.TopologyProblems;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On tiny problems the placed plan is as good as the best of all placed plans, and the bound is not below it. */
class EnumerationTest {
    /** Cluster and jobs. */
    private enum Kind {
        PLAIN,
        SHRUNK,
        SCARCE,
        SHARING,
        RECONFIGURED,
        CONTENDED,
        GROUPED,
        UNEVEN,
        PLACED,
        TOPOLOGY,
        PROFIT,
        SENSITIVE,
        ROLES,
        SHARES;

        RoundProblem problem(long seed, int nodes, int jobs) {
            return switch (this) {
                case PLAIN -> RandomProblems.problem(seed, nodes, jobs);
                case SHRUNK -> RandomProblems.shrunk(seed, nodes, jobs);
                case SCARCE -> RandomProblems.scarce(seed, nodes, jobs);
                // With pinned jobs, the enumeration does not try every split of shares over the nodes.
                case SHARING -> RandomProblems.unprotected(RandomProblems.sharing(seed, nodes, jobs));
                case RECONFIGURED -> ElasticBatchProblems.problem(seed, nodes, jobs);
                case CONTENDED -> RandomProblems.contended(seed, nodes, jobs);
                case GROUPED -> GroupedProblems.problem(seed, nodes, jobs);
                case UNEVEN -> RandomProblems.uneven(seed, nodes, jobs);
                case PLACED -> RandomProblems.placed(seed, nodes, jobs);
                case TOPOLOGY -> TopologyProblems.problem(seed, nodes, jobs);
                case PROFIT -> RandomProblems.profitable(seed, nodes, jobs);
                case SENSITIVE -> SensitiveProblems.scarce(seed, nodes, jobs);
                case ROLES -> RoleProblems.problem(seed, nodes, jobs);
                case SHARES -> ShareProblems.problem(seed, nodes, jobs);
            };
        }
    }

    /** Obligations of the round. */
    private enum Obliged {
        NOTHING,
        DEADLINES,
        /** No job is protected or has a guaranteed deadline, so that no nodes are reserved. */
        LONG_WAITS;

        RoundProblem of(RoundProblem problem, Random random) {
            return switch (this) {
                case NOTHING -> RandomProblems.withoutObligations(problem);
                case DEADLINES -> RandomProblems.withObligations(problem, 1e9, withDeadline(random));
                case LONG_WAITS ->
                    RandomProblems.withObligations(
                            problem,
                            10_000 + random.nextInt(30_000),
                            job -> job.allocation() == null
                                    ? job
                                    : RandomProblems.withDeadline(
                                            job.withAllocation(longHeld(job)), null, DeadlineStatus.NONE));
            };
        }

        private static UnaryOperator<Job> withDeadline(Random random) {
            DeadlineStatus[] statuses = {DeadlineStatus.GUARANTEED, DeadlineStatus.PENDING, DeadlineStatus.AT_RISK};
            return job -> random.nextBoolean()
                    ? job
                    : RandomProblems.withDeadline(job, 100_200.0 + random.nextInt(8000), statuses[random.nextInt(3)]);
        }

        private static Allocation longHeld(Job job) {
            Allocation heldAllocation = job.allocation();
            return new Allocation(
                    heldAllocation.configuration(), heldAllocation.placement(), heldAllocation.aggregation(), 0);
        }
    }

    private static RoundProblem problem(Kind kind, Obliged obliged, long seed, int nodes, int jobs) {
        return obliged.of(RandomProblems.inOneClass(kind.problem(seed, nodes, jobs)), new Random(seed));
    }

    @ParameterizedTest(name = "{3} problems {0}, obliged to {1}, with up to {4} nodes and {5} jobs from seed {2}")
    @CsvSource({
        "PLAIN, NOTHING, 0, 200, 3, 4",
        "PLAIN, NOTHING, 1000, 200, 4, 5",
        "PLAIN, NOTHING, 2382, 1, 4, 5",
        "PLAIN, NOTHING, 3428, 1, 4, 5",
        "PLAIN, NOTHING, 5000, 50, 6, 4",
        "PLAIN, NOTHING, 6000, 150, 2, 6",
        "PLAIN, DEADLINES, 20000, 150, 3, 4",
        "PLAIN, DEADLINES, 20200, 50, 3, 4",
        "PLAIN, DEADLINES, 21000, 50, 4, 5",
        "PLAIN, LONG_WAITS, 22000, 600, 3, 4",
        "PLAIN, LONG_WAITS, 23000, 50, 4, 5",
        "SHRUNK, NOTHING, 70000, 200, 3, 4",
        "SHRUNK, NOTHING, 71000, 100, 4, 5",
        "SHRUNK, DEADLINES, 97000, 100, 3, 4",
        "SCARCE, NOTHING, 98000, 200, 3, 4",
        "SCARCE, NOTHING, 98500, 100, 4, 5",
        "SCARCE, DEADLINES, 99000, 100, 3, 4",
        "SHARING, NOTHING, 99500, 200, 3, 5",
        "SHARING, NOTHING, 100000, 200, 2, 6",
        "SHARING, DEADLINES, 101000, 200, 3, 4",
        "RECONFIGURED, NOTHING, 102000, 300, 1, 4",
        "RECONFIGURED, NOTHING, 103000, 100, 2, 3",
        "RECONFIGURED, DEADLINES, 104000, 100, 1, 3",
        "CONTENDED, NOTHING, 90000, 150, 3, 4",
        "CONTENDED, NOTHING, 91000, 100, 4, 5",
        "CONTENDED, DEADLINES, 95000, 600, 3, 4",
        "GROUPED, NOTHING, 80000, 500, 3, 4",
        "GROUPED, NOTHING, 81000, 200, 4, 5",
        "GROUPED, DEADLINES, 82000, 200, 3, 4",
        "UNEVEN, NOTHING, 60000, 400, 3, 4",
        "UNEVEN, NOTHING, 61000, 100, 4, 4",
        "UNEVEN, DEADLINES, 62000, 100, 3, 4",
        "UNEVEN, LONG_WAITS, 63000, 200, 3, 4",
        "PLACED, NOTHING, 102000, 300, 3, 4",
        "PLACED, NOTHING, 103000, 100, 4, 5",
        "PLACED, DEADLINES, 104000, 100, 3, 4",
        "PLACED, LONG_WAITS, 105000, 100, 3, 4",
        "TOPOLOGY, NOTHING, 112000, 300, 3, 4",
        "TOPOLOGY, NOTHING, 113000, 100, 4, 5",
        "TOPOLOGY, DEADLINES, 114000, 100, 3, 4",
        "TOPOLOGY, LONG_WAITS, 115000, 100, 3, 4",
        "PROFIT, NOTHING, 50000, 400, 3, 4",
        "PROFIT, NOTHING, 51000, 100, 4, 5",
        "PROFIT, DEADLINES, 52000, 100, 3, 4",
        "PROFIT, LONG_WAITS, 53000, 200, 3, 4",
        "SENSITIVE, NOTHING, 40000, 400, 3, 3",
        "SENSITIVE, NOTHING, 41000, 200, 2, 4",
        "SENSITIVE, DEADLINES, 42000, 200, 2, 4",
        "SENSITIVE, LONG_WAITS, 43000, 200, 2, 4",
        "ROLES, NOTHING, 120000, 400, 3, 4",
        "ROLES, NOTHING, 121000, 100, 4, 5",
        "ROLES, DEADLINES, 122000, 100, 3, 4",
        "ROLES, LONG_WAITS, 123000, 200, 3, 4",
        "SHARES, NOTHING, 130000, 400, 2, 5",
        "SHARES, NOTHING, 131000, 100, 3, 6",
        "SHARES, DEADLINES, 132000, 100, 2, 5",
        "SHARES, LONG_WAITS, 133000, 200, 2, 5"
    })
    void noPlanIsBetter(Kind kind, Obliged obliged, long first, int seeds, int nodes, int jobs) {
        int unproved = 0;
        int omitted = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = problem(kind, obliged, seed, nodes, jobs);
            CandidateSet candidates = CandidateGenerator.generate(problem);
            if (!Enumeration.isQuick(candidates) || new OverdueJobs(candidates).reservation() != null) {
                omitted++;
                continue;
            }
            double best = new EnumeratedObligations(candidates).bestWorth();
            double rounding = 1e-7 * Math.max(1, Math.abs(best));

            RoundPlan plan = Policies.spur().plan(problem);

            SolutionQuality quality = plan.quality();
            boolean isProved = quality.status() == SolveStatus.OPTIMAL;
            unproved += isProved ? 0 : 1;
            assertThat(quality.objectiveValue())
                    .as("objective value for seed %d", seed)
                    .isBetween(isProved ? best - rounding : Double.NEGATIVE_INFINITY, best + rounding);
            assertThat(quality.bestBound()).as("bound for seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
            assertThat(PlanCheck.violations(problem, plan))
                    .as("plan for seed %d", seed)
                    .isEmpty();
        }
        assertThat(omitted)
                .as("rounds that are too large, or reserve nodes for an overdue job")
                .isLessThanOrEqualTo(seeds * 4 / 5);
        assertThat(unproved).as("plans that are not proved optimal").isLessThanOrEqualTo(seeds / 200);
    }

    @Test
    void someJobsAdoptABatchSizeThatOnlyLeavesMoreCpus() {
        int adopted = 0;
        for (long seed = 102_000; seed < 102_200; seed++) {
            RoundProblem problem = problem(Kind.RECONFIGURED, Obliged.NOTHING, seed, 1, 4);
            CandidateSet candidates = CandidateGenerator.generate(problem);
            for (PlannedJob planned : Policies.spur().plan(problem).running()) {
                Job job = ProblemFixture.jobOf(problem, planned.jobId());
                boolean isReconfigured = job.changeTo(planned.allocation()).keepsProcesses()
                        && candidates.of(problem.jobs().indexOf(job)).otherCandidates().stream()
                                .map(Candidate::configuration)
                                .anyMatch(planned.allocation().configuration()::equals);
                adopted += isReconfigured ? 1 : 0;
            }
        }

        assertThat(adopted)
                .as("batch sizes other than that of the highest utility")
                .isPositive();
    }

    @Test
    void theProblemsHaveEveryChangeWithDeadlinesAndContention() {
        Map<ChangeMechanism, Integer> changes = new EnumMap<>(ChangeMechanism.class);
        Map<ChangeMechanism, Integer> guaranteed = new EnumMap<>(ChangeMechanism.class);
        int acrossNodes = 0;
        int slowed = 0;
        for (long seed = 95000; seed < 96000; seed++) {
            RoundProblem problem = problem(Kind.CONTENDED, Obliged.DEADLINES, seed, 3, 4);
            RoundPlan plan = Policies.spur().plan(problem);
            for (PlannedJob planned : plan.running()) {
                Job job = ProblemFixture.jobOf(problem, planned.jobId());
                Configuration configuration = planned.allocation().configuration();
                ChangeMechanism change = job.changeTo(planned.allocation());
                changes.merge(change, 1, Integer::sum);
                acrossNodes += change == ChangeMechanism.RESCALE
                                && configuration.nodes()
                                        != job.allocation().configuration().nodes()
                        ? 1
                        : 0;
                if (plan.deadlineStatuses().get(job.id()) == DeadlineStatus.GUARANTEED) {
                    guaranteed.merge(change, 1, Integer::sum);
                }
                double speed = job.spec()
                        .profile()
                        .contentionSpeed(configuration.acceleratorType(), configuration.slots(), configuration.nodes());
                slowed += speed < 1 ? 1 : 0;
            }
        }

        assertThat(changes).as("plans by change").containsOnlyKeys(ChangeMechanism.values());
        assertThat(guaranteed)
                .as("guaranteed by change")
                .containsKeys(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE);
        assertThat(acrossNodes)
                .as("changes of ranks to another number of nodes")
                .isPositive();
        assertThat(slowed).as("allocations with contention").isPositive();
    }
}

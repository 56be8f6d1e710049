package dev.spur.policies;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.RoleProblems;
import dev.spur.solver.SensitiveProblems;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every published policy. Spur's own policies and the baselines have other tests. */
class EveryPolicyTest {
    private static final int SEEDS = 40;

    static Stream<Policy> published() {
        return PolicyRegistry.all().stream()
                .filter(entry -> entry.provenance() != PolicyEntry.Provenance.OWN)
                .map(PolicyEntry::policy);
    }

    @ParameterizedTest
    @MethodSource("published")
    void breaksNoRuleOfTheJudge(Policy policy) {
        for (int seed = 0; seed < SEEDS; seed++) {
            RoundProblem problem = switch (seed % 7) {
                case 1 -> RandomProblems.sliced(seed, 6, 10);
                case 2 -> RandomProblems.maintained(seed, 6, 10);
                case 3 -> GroupedProblems.problem(seed, 6, 10);
                case 4 -> RandomProblems.shrunk(seed, 6, 10);
                case 5 -> RoleProblems.withRoles(SensitiveProblems.problem(seed, 6, 10), seed);
                case 6 -> SensitiveProblems.problem(seed, 6, 10);
                default -> RandomProblems.problem(seed, 6, 10);
            };
            assertThat(ProblemCheck.violations(problem)).isEmpty();

            for (int round = 0; round < 3; round++) {
                Decision decision = policy.decide(problem);

                assertThat(PlanCheck.violations(problem, decision.plan()))
                        .as("%s, seed %d, round %d", policy.name(), seed, round)
                        .isEmpty();
                problem = RoundSimulation.next(problem, decision, 700);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void decidesTheSameAgain(Policy policy) {
        for (int seed = 0; seed < SEEDS; seed += 3) {
            RoundProblem problem = RandomProblems.problem(seed, 6, 10);
            Decision decision = policy.decide(problem);

            Decision again = policy.decide(problem);

            assertThat(again.allocations())
                    .as("%s, seed %d", policy.name(), seed)
                    .isEqualTo(decision.allocations());
            assertThat(again.memory()).isEqualTo(decision.memory());
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void decidesTheSameInAnotherUnitOfWork(Policy policy) {
        for (int seed = 0; seed < SEEDS; seed += 3) {
            RoundProblem problem = RandomProblems.problem(seed, 6, 10);

            Decision inOtherUnit = policy.decide(inOtherUnit(problem));

            assertThat(inOtherUnit.allocations())
                    .as("%s, seed %d", policy.name(), seed)
                    .isEqualTo(policy.decide(problem).allocations());
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void runsALoneJobThatFits(Policy policy) {
        RoundProblem alone = problem().nodes(4, 4).job(job("a").slots(2, 6)).build();
        RoundProblem rigid = problem().nodes(4, 4).job(job("a").slots(8)).build();

        assertThat(policy.decide(alone).allocations()).containsOnlyKeys("a");
        assertThat(policy.decide(rigid).allocations()).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @MethodSource("published")
    void leavesALoneJobWhereItIs(Policy policy) {
        RoundProblem running = problem()
                .nodes(4, 4)
                .job(job("a").slots(4).on("n2", 4).attainedService(4000))
                .build();

        assertThat(policy.decide(running).allocations())
                .containsEntry("a", running.jobs().get(0).allocation());
    }

    @ParameterizedTest
    @MethodSource("published")
    void hasNothingToSayOfAnEmptyCluster(Policy policy) {
        assertThat(policy.decide(problem().nodes(4).build()).allocations()).isEmpty();
        assertThat(policy.decide(problem().job(job("a")).build()).allocations()).isEmpty();
    }

    @Test
    void namesAreUniqueAndFound() {
        List<String> names =
                PolicyRegistry.all().stream().map(PolicyEntry::name).toList();

        assertThat(names).doesNotHaveDuplicates().contains("spur", "fifo", "2d-las");
        assertThat(names)
                .allMatch(
                        name -> PolicyRegistry.policy(name).orElseThrow().name().equals(name));
        assertThat(PolicyRegistry.policy("no such policy")).isEmpty();
    }

    @Test
    void anyOfThemPlansPartsOfTheClusterOnItsOwn() {
        RoundProblem problem =
                problem().nodes(4, 4).jobs(job("a").slots(4), job("b").slots(4)).build();

        Policy halves = PolicyRegistry.policy("pop2-fifo").orElseThrow();

        assertThat(halves.name()).isEqualTo("pop2-fifo");
        assertThat(halves.decide(problem).allocations()).containsOnlyKeys("a", "b");
        assertThat(PolicyRegistry.policy("pop2-nothing")).isEmpty();
    }

    /** Throughputs and work times 8: a power of two, so that no rounding differs. */
    private static RoundProblem inOtherUnit(RoundProblem problem) {
        return problem.withJobs(problem.jobs().stream()
                .map(job -> new Job(
                        job.id(),
                        job.tenant(),
                        job.arrival(),
                        inOtherUnit(job.spec()),
                        job.remainingSamples() * 8,
                        job.deadline(),
                        job.deadlineStatus(),
                        job.history(),
                        job.allocation()))
                .toList());
    }

    private static JobSpec inOtherUnit(JobSpec spec) {
        List<ProfilePoint> points = spec.profile().points().stream()
                .map(p -> new ProfilePoint(
                        p.acceleratorType(),
                        p.slots(),
                        p.nodes(),
                        p.batchSize(),
                        p.strategy(),
                        p.aggregationSlots(),
                        p.samplesPerSecond() * 8))
                .toList();
        return spec.edit()
                .work(new Work(WorkUnit.SAMPLES, spec.totalSamples() * 8, null))
                .speed(new ThroughputProfile(points, spec.profile().ratios()), spec.efficiency())
                .build();
    }
}

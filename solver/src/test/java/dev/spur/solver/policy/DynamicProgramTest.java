package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.Problems;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where only the slots of one pool bind, the plan is that of the elastic batch program of Saxena et al. (arXiv
 * 2006.13878), in the variant in which a job may wait, with worths as gains.
 */
class DynamicProgramTest {
    /** Price of a slot-hour of each node. */
    private static final NodeTerms TERMS = NodeTerms.ofPrice(1);

    @ParameterizedTest(name = "60 pools from seed {0}, one node {1}")
    @CsvSource({"0, true", "100, true", "200, false", "300, false"})
    void thePlanIsAsGood(long first, boolean oneNode) {
        for (long seed = first; seed < first + 60; seed++) {
            Random random = new Random(seed);
            int slots = 2 + random.nextInt(15);
            RoundProblem problem = pool(random, slots, oneNode);

            RoundPlan plan = Policies.spur().plan(problem);

            double best = best(gains(problem, slots, oneNode), slots);
            assertThat(plan.quality().objectiveValue())
                    .as("seed %d", seed)
                    .isCloseTo(best, within(1e-7 * Math.max(1, best)));
        }
    }

    @ParameterizedTest(name = "20 pools from seed {0}")
    @ValueSource(longs = {1000, 2000})
    void moreSlotsAreNeverWorse(long first) {
        for (long seed = first; seed < first + 20; seed++) {
            // worth that is relative to the fastest speed in a cluster says nothing between clusters
            RoundProblem large = inAbsoluteTerms(pool(new Random(seed), 10, true));
            RoundProblem fresh = large.withJobs(
                    large.jobs().stream().map(job -> job.withAllocation(null)).toList());
            double before = 0;
            for (int slots = 1; slots <= 10; slots++) {
                RoundProblem smaller = fresh.withNodes(List.of(Problems.node("n1", slots)));
                double worth = Policies.spur().plan(smaller).quality().objectiveValue();
                assertThat(worth).as("%d slots, seed %d", slots, seed).isGreaterThanOrEqualTo(before - 1e-7);
                before = worth;
            }
        }
    }

    private static RoundProblem inAbsoluteTerms(RoundProblem problem) {
        ObjectiveKind kind = problem.settings().objective().kind();
        return kind == ObjectiveKind.COMPLETION_TIME
                ? problem.withSettings(problem.settings().withObjective(Objective.of(ObjectiveKind.PROGRESS)))
                : problem;
    }

    /** P[i][q] = max over g of gain of job i at g + P[i-1][q-g], where g = 0 is allowed and worth 0. */
    private static double best(List<double[]> gains, int slots) {
        double[] largest = new double[slots + 1];
        for (double[] gain : gains) {
            double[] next = largest.clone();
            for (int q = 1; q <= slots; q++) {
                for (int g = 1; g <= q; g++) {
                    next[q] = Math.max(next[q], gain[g] + largest[q - g]);
                }
            }
            largest = next;
        }
        return largest[slots];
    }

    /** For each job its worth by slots, at the best of all batch sizes; negative infinity where it may not run. */
    private static List<double[]> gains(RoundProblem problem, int slots, boolean oneNode) {
        Utility utility = new Utility(problem);
        List<double[]> gains = new ArrayList<>();
        for (Job job : problem.jobs()) {
            double[] gain = new double[slots + 1];
            Arrays.fill(gain, Double.NEGATIVE_INFINITY);
            for (int g = 1; g <= slots; g++) {
                if (job.spec().elasticity().allowsCount(g)) {
                    gain[g] = fastest(
                            utility, job, oneNode ? List.of(g) : Collections.nCopies(g, 1), ChangeMechanism.RESTART);
                }
            }
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null) {
                int g = heldAllocation.configuration().slots();
                double goodput = Goodput.of(job.spec(), heldAllocation.configuration());
                gain[g] = Math.max(
                        gain[g],
                        utility.of(job).of(heldAllocation.configuration(), goodput, ChangeMechanism.UNCHANGED, TERMS));
                if (job.spec().reconfigures()) {
                    List<Integer> shape = heldAllocation.configuration().shape();
                    gain[g] = Math.max(gain[g], fastest(utility, job, shape, ChangeMechanism.RECONFIGURE));
                }
            }
            gains.add(gain);
        }
        return gains;
    }

    private static double fastest(Utility utility, Job job, List<Integer> shape, ChangeMechanism change) {
        double largest = Double.NEGATIVE_INFINITY;
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        for (int batch = 1; batch <= job.spec().batch().max(); batch++) {
            if (job.spec().batch().allows(batch, "A100", slots)) {
                int passes = job.spec().batch().accumulationSteps(batch, "A100", slots);
                Configuration configuration =
                        new Configuration("main", "A100", shape, SyncStrategy.ALL_REDUCE, 0, batch, passes);
                double goodput = Goodput.of(job.spec(), configuration);
                if (goodput > 0) {
                    largest = Math.max(largest, utility.of(job).of(configuration, goodput, change, TERMS));
                }
            }
        }
        return largest;
    }

    private static RoundProblem pool(Random random, int slots, boolean oneNode) {
        ObjectiveKind[] kinds = ObjectiveKind.values();
        ProblemFixture fixture = problem().objective(kinds[random.nextInt(kinds.length)]);
        if (oneNode) {
            fixture.nodes(slots);
        } else {
            fixture.nodes(Collections.nCopies(slots, 1).stream()
                    .mapToInt(Integer::intValue)
                    .toArray());
        }
        int[] held = {0};
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            fixture.job(randomJob(random, "j" + i, slots, oneNode, held));
        }
        return fixture.build();
    }

    private static JobFixture randomJob(Random random, String id, int slots, boolean oneNode, int[] held) {
        List<ProfilePoint> points = new ArrayList<>();
        for (int g = 1; g <= 1 + random.nextInt(slots); g++) {
            for (int batch : new int[] {32, 64}) {
                double speed = random.nextInt(10) == 0 ? 0 : 100 * Math.pow(g, 0.9) * (0.5 + random.nextDouble());
                points.add(ProfilePoint.allReduce("A100", g, 1, batch, speed * Math.sqrt(batch)));
            }
        }
        int min = 1 + random.nextInt(3);
        int max = min + random.nextInt(slots);
        double total = 1e5 + 1e7 * random.nextDouble();
        JobFixture job = job(id).slots(min, max)
                .revenue(50)
                .arrival(random.nextInt(1000))
                .work(total)
                .remaining(total * random.nextDouble())
                .weight(0.5 + random.nextDouble())
                .attainedService(random.nextInt(8000))
                .restarts(random.nextInt(3))
                .restartPenalty(random.nextInt(200))
                .batch(new BatchLimits(40, 20, 20 + random.nextInt(60) + 20, 64, Map.of(), true))
                .efficiency(StatisticalEfficiency.ofNoiseScale(random.nextInt(100)))
                .profile(new ThroughputProfile(points, List.of()));
        if (random.nextInt(3) == 0) {
            job.powersOfTwo();
        }
        return oneNode && random.nextBoolean() && held[0] + min <= slots && Integer.bitCount(min) == 1
                ? holding(job, min, held)
                : job;
    }

    private static JobFixture holding(JobFixture job, int slots, int[] held) {
        Configuration configuration =
                new Configuration("main", "A100", List.of(slots), SyncStrategy.ALL_REDUCE, 0, 40, 0);
        job.holding(new Allocation(configuration, List.of(JobFixture.piece("n1", held[0], slots)), List.of(), 0));
        held[0] += slots;
        return job;
    }
}

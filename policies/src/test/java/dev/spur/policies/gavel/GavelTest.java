package dev.spur.policies.gavel;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.RoundSimulation;
import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.IsolatedShare;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GavelTest {
    /** One slot of a fast type, one of a slow type. */
    private static ProblemFixture twoTypes() {
        return problem().node("fast", 1).node(NodeFixture.node("slow", 1).type("V100"));
    }

    private static JobSpeeds speed(RoundProblem problem) {
        return new JobSpeeds(RoundView.of(problem, BatchRule.USER));
    }

    private static Shares shares(RoundProblem problem, ShareObjective objective) {
        JobSpeeds speed = speed(problem);
        return objective
                .shares(speed, new IsolatedShare(speed.view(), "test/"), true)
                .orElseThrow();
    }

    private static double speedOf(RoundProblem problem, Shares shares, int j) {
        JobSpeeds speed = speed(problem);
        double sum = 0;
        for (NodePartition partition : speed.view().partitions()) {
            sum += shares.of(j, partition) * speed.on(j, partition);
        }
        return sum;
    }

    @Nested
    class TheShares {
        @Test
        void equalJobsGetEqualSpeeds() {
            RoundProblem problem = twoTypes()
                    .jobs(
                            job("a").speedsOn("A100", 300).speedsOn("V100", 100),
                            job("b").speedsOn("A100", 300).speedsOn("V100", 100))
                    .build();
            Shares shares = shares(problem, ShareObjective.MAX_MIN);

            assertThat(speedOf(problem, shares, 0)).isCloseTo(200, within(0.1));
            assertThat(speedOf(problem, shares, 1)).isCloseTo(200, within(0.1));
        }

        @Test
        void theLowestSpeedIsRaisedFirst() {
            RoundProblem problem = twoTypes()
                    .jobs(
                            job("cares").speedsOn("A100", 400).speedsOn("V100", 100),
                            job("does not").speedsOn("A100", 100).speedsOn("V100", 100))
                    .build();
            Shares shares = shares(problem, ShareObjective.MAX_MIN);

            // relative to equal shares, 250 and 100: 1.6 for the first on the fast type alone, and 1 for the second
            assertThat(speedOf(problem, shares, 0)).isCloseTo(400, within(1.0));
            assertThat(speedOf(problem, shares, 1)).isCloseTo(100, within(1.0));
        }

        @Test
        void theHighestSumOfSpeedsNeedNotBeFair() {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(job("fast").speedsOn("A100", 300), job("slow").speedsOn("A100", 100))
                    .build();
            Shares shares = shares(problem, ShareObjective.TOTAL_THROUGHPUT);

            assertThat(speedOf(problem, shares, 0)).isCloseTo(300, within(1e-6));
            assertThat(speedOf(problem, shares, 1)).isCloseTo(0, within(1e-6));
        }

        @Test
        void theHighestSumCountsStepsAndNotSamples() {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(
                            job("many samples").speeds(300).batch(BatchLimits.ofBatch(640)),
                            job("many steps").speeds(100).batch(BatchLimits.ofBatch(64)))
                    .build();
            Shares shares = shares(problem, ShareObjective.TOTAL_THROUGHPUT);

            assertThat(speedOf(problem, shares, 0)).isCloseTo(0, within(1e-6));
            assertThat(speedOf(problem, shares, 1)).isCloseTo(100, within(1e-6));
        }

        @Test
        void withTheLeastMakespanWorkEndsTogether() {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(job("long").work(3e6), job("short").work(1e6))
                    .build();
            Shares shares = shares(problem, ShareObjective.MAKESPAN);

            // best possible: 40,000 s
            assertThat(3e6 / speedOf(problem, shares, 0)).isLessThan(40_000 * 1.05);
            assertThat(1e6 / speedOf(problem, shares, 1)).isLessThan(40_000 * 1.05);
        }

        @Test
        void noJobIsSlowerThanAloneWithoutContention() {
            RoundProblem problem = problem()
                    .now(10)
                    .nodes(4)
                    .jobs(job("a").arrival(10), job("b").arrival(10))
                    .build();
            Shares shares = shares(problem, ShareObjective.FINISH_TIME_FAIRNESS);
            JobSpeeds speed = speed(problem);

            assertThat(speedOf(problem, shares, 0)).isGreaterThanOrEqualTo(speed.isolatedSpeed(0) * 0.99);
            assertThat(speedOf(problem, shares, 1)).isGreaterThanOrEqualTo(speed.isolatedSpeed(1) * 0.99);
        }

        @Test
        void whoHasWaitedLongerGetsMoreForTheSakeOfFinishTimeFairness() {
            RoundProblem problem = problem()
                    .now(10_000)
                    .nodes(1)
                    .jobs(job("old").arrival(0), job("new").arrival(9_999))
                    .build();
            Shares shares = shares(problem, ShareObjective.FINISH_TIME_FAIRNESS);

            assertThat(speedOf(problem, shares, 0)).isGreaterThan(speedOf(problem, shares, 1) * 1.2);
        }
    }

    @Nested
    class TheRounds {
        @Test
        void keepToTheSharesInTheLongRun() {
            RoundProblem round = twoTypes()
                    .jobs(
                            job("a").speedsOn("A100", 300)
                                    .speedsOn("V100", 100)
                                    .work(1e9)
                                    .restartPenalty(0),
                            job("b").speedsOn("A100", 300)
                                    .speedsOn("V100", 100)
                                    .work(1e9)
                                    .restartPenalty(0),
                            job("c").speedsOn("A100", 300)
                                    .speedsOn("V100", 100)
                                    .work(1e9)
                                    .restartPenalty(0))
                    .build();
            Policy policy = new Gavel("gavel", ShareObjective.MAX_MIN, GavelDefaults.DEFAULT);
            Map<String, Double> done = new HashMap<>();

            for (int i = 0; i < 300; i++) {
                Decision decision = policy.decide(round);
                for (Map.Entry<String, Allocation> given :
                        decision.allocations().entrySet()) {
                    boolean fast =
                            given.getValue().configuration().acceleratorType().equals("A100");
                    done.merge(given.getKey(), fast ? 300.0 : 100.0, Double::sum);
                }
                round = RoundSimulation.next(round, decision, 360);
            }

            // 400 samples/s for three
            assertThat(done.values()).allSatisfy(sum -> assertThat(sum / 300).isCloseTo(400 / 3.0, within(8.0)));
        }

        @Test
        void sharesAreSolvedOnlyWhenJobsArriveOrLeave() {
            RoundProblem first = problem().nodes(1).jobs(job("a"), job("b")).build();
            Policy policy = new Gavel("gavel", ShareObjective.MAX_MIN, GavelDefaults.DEFAULT);
            Decision decision = policy.decide(first);
            RoundProblem next = RoundSimulation.next(first, decision, 360);

            Decision second = policy.decide(next);
            Decision afterAnEnd = policy.decide(next.withJobs(next.jobs().subList(0, 1)));

            assertThat(second.memory().counters()).containsEntry("gavel/since", 1000.0);
            assertThat(afterAnEnd.memory().counters()).containsEntry("gavel/since", 1360.0);
        }
    }

    @Nested
    class TheHabitsOfTheProgram {
        private static final Policy PROGRAM = new Gavel("program", ShareObjective.MAX_MIN, GavelDefaults.PROGRAM);

        private RoundProblem secondRound(RoundProblem first, double seconds) {
            RoundProblem second = RoundSimulation.next(first, PROGRAM.decide(first), seconds);
            return RoundSimulation.next(second, PROGRAM.decide(second), seconds);
        }

        private static RoundProblem with(RoundProblem round, RoundProblem newJobs) {
            List<Job> all = new ArrayList<>(round.jobs());
            all.addAll(newJobs.jobs());
            return round.withJobs(all);
        }

        @Test
        void aNewcomerWaitsUntilSharesAreDueAndItsSlotsStayIdle() {
            RoundProblem first =
                    problem().nodes(4).jobs(job("a").slots(1).work(1e9)).build();
            RoundProblem newJob = problem().nodes(4).jobs(job("b").slots(1)).build();

            RoundProblem soon = with(secondRound(first, 360), newJob);
            RoundProblem late = with(secondRound(first, 1920), newJob);

            assertThat(PROGRAM.decide(soon).allocations()).containsOnlyKeys("a");
            assertThat(PROGRAM.decide(late).allocations()).containsOnlyKeys("a", "b");
        }

        @Test
        void withSharesAtOnceTheNewcomerRuns() {
            Policy atOnce = new Gavel("at once", ShareObjective.MAX_MIN, GavelDefaults.DEFAULT);
            RoundProblem first =
                    problem().nodes(4).jobs(job("a").slots(1).work(1e9)).build();
            RoundProblem newJob = problem().nodes(4).jobs(job("b").slots(1)).build();
            RoundProblem second = RoundSimulation.next(first, atOnce.decide(first), 360);

            assertThat(atOnce.decide(with(second, newJob)).allocations()).containsOnlyKeys("a", "b");
        }

        @Test
        void slotsWithoutAShareGoToTheRemainingJobs() {
            RoundProblem problem = twoTypes()
                    .jobs(
                            job("fast").speedsOn("A100", 1000).speedsOn("V100", 1),
                            job("slow").speedsOn("A100", 300).speedsOn("V100", 100))
                    .build();
            JobSpeeds speed = speed(problem);
            ReceivedTime received = new ReceivedTime(speed);
            Shares none = new Shares();

            assertThat(RoundMechanism.place(speed, none, received, false, j -> false)
                            .decision(RoundMemory.EMPTY)
                            .allocations())
                    .isEmpty();
            assertThat(RoundMechanism.place(speed, none, received, true, j -> false)
                            .decision(RoundMemory.EMPTY)
                            .allocations())
                    .hasSize(2);
        }

        @Test
        void whoIsBlindToTypesSharesTimeAndNotSpeed() {
            JobSpeeds blind = new JobSpeeds(
                    RoundView.of(
                            twoTypes()
                                    .jobs(
                                            job("a").speedsOn("A100", 900).speedsOn("V100", 10),
                                            job("b").speedsOn("A100", 100).speedsOn("V100", 90),
                                            job("c").speedsOn("A100", 10).speedsOn("V100", 90))
                                    .build(),
                            BatchRule.USER),
                    true);
            Shares shares = ShareObjective.MAX_MIN
                    .shares(blind, new IsolatedShare(blind.view(), "test/"), false)
                    .orElseThrow();

            for (int j : blind.jobs()) {
                double time = blind.view().partitions().stream()
                        .mapToDouble(partition -> shares.of(j, partition))
                        .sum();
                assertThat(time).isCloseTo(2 / 3.0, within(1e-6));
            }
        }

        @Test
        void aTypeUnawarePolicyAssignsTypesInRandomOrder() {
            Policy blind = new Gavel("blind", ShareObjective.MAX_MIN, GavelDefaults.BLIND_PROGRAM);
            Set<String> types = new HashSet<>();
            RoundProblem round = twoTypes()
                    .jobs(job("a").speedsOn("A100", 900).speedsOn("V100", 10).work(1e9))
                    .build();

            for (int i = 0; i < 30; i++) {
                Decision decision = blind.decide(round);
                decision.allocations()
                        .values()
                        .forEach(allocation ->
                                types.add(allocation.configuration().acceleratorType()));
                round = RoundSimulation.next(round, decision, 360);
            }

            assertThat(types).containsExactlyInAnyOrder("A100", "V100");
        }
    }
}

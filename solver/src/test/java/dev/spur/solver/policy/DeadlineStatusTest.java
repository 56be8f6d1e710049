package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundPlan;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines: what is promised is kept while the cluster lasts, what cannot be promised is said at once. */
class DeadlineStatusTest {
    private static DeadlineStatus status(RoundPlan plan, String job) {
        return plan.deadlineStatuses().get(job);
    }

    /**
     * 100 samples/s per slot and a restart of 30 s: {@code slots} suffice for this by {@code deadline}, started at
     * 1,000.
     */
    private static JobFixture due(String id, int slots, double deadline) {
        return job(id).slots(slots).work(100.0 * slots * (deadline - 1030)).deadline(deadline, DeadlineStatus.PENDING);
    }

    @Nested
    class ADeadlineThatAsks {
        @Test
        void isPromisedIfTheJobRunsOnPace() {
            RoundPlan plan = Policies.spur()
                    .plan(problem().nodes(4).job(due("a", 2, 2000)).build());

            assertThat(status(plan, "a")).isEqualTo(DeadlineStatus.GUARANTEED);
        }

        @Test
        void isAtRiskAtOnceIfNoConfigurationIsFastEnough() {
            RoundPlan plan = Policies.spur()
                    .plan(problem()
                            .nodes(4)
                            .job(job("a").work(1e6).deadline(2000, DeadlineStatus.PENDING))
                            .build());

            assertThat(status(plan, "a")).isEqualTo(DeadlineStatus.AT_RISK);
            assertThat(plan.running()).as("it runs nevertheless").hasSize(1);
        }

        @Test
        void isAtRiskIfItHoldsOnlyWhenAWarmUpSucceeds() {
            double work = 100 * 2 * (2000 - 1020.0);
            RoundPlan plan = Policies.spur()
                    .plan(problem()
                            .node(node("n1", 2).state(NodeState.DRAINING))
                            .node(node("n2", 2))
                            .job(job("a").slots(2)
                                    .work(work)
                                    .on("n1", 2)
                                    .migrates(1)
                                    .deadline(2000, DeadlineStatus.PENDING))
                            .build());

            assertThat(plan.running()).hasSize(1);
            assertThat(status(plan, "a")).isEqualTo(DeadlineStatus.AT_RISK);
        }

        @Test
        void takesTheSlotsItNeedsWhateverOthersAreWorth() {
            RoundPlan plan = Policies.spur()
                    .plan(problem()
                            .nodes(4)
                            .jobs(
                                    due("a", 3, 2000).weight(0.001),
                                    job("rich").slots(4).weight(1000))
                            .build());

            assertThat(status(plan, "a")).isEqualTo(DeadlineStatus.GUARANTEED);
        }

        @Test
        void runsOnMoreSlotsThanWorthWouldGiveIt() {
            JobFixture elastic = job("a").slots(1, 4)
                    .speeds(100, 120, 130, 140)
                    .work(140 * 970)
                    .deadline(2000, DeadlineStatus.PENDING);
            RoundPlan plan = Policies.spur()
                    .plan(problem().nodes(4).jobs(elastic, job("b").weight(30)).build());

            assertThat(status(plan, "a")).isEqualTo(DeadlineStatus.GUARANTEED);
            assertThat(plan.running())
                    .extracting(runningJob ->
                            runningJob.allocation().configuration().slots())
                    .containsExactly(4);
        }

        @Test
        void comesAfterThoseThatArrivedEarlier() {
            RoundPlan plan = Policies.spur()
                    .plan(problem()
                            .nodes(4)
                            .jobs(
                                    due("late", 3, 2000).arrival(900).weight(9),
                                    due("early", 3, 2000).arrival(100))
                            .build());

            assertThat(status(plan, "early")).isEqualTo(DeadlineStatus.GUARANTEED);
            assertThat(status(plan, "late")).isEqualTo(DeadlineStatus.AT_RISK);
        }

        @Test
        void isPromisedLaterWhenRoomComes() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .jobs(
                                    job("blocks")
                                            .slots(3)
                                            .work(300 * 90)
                                            .notPreemptible()
                                            .on("n1", 3),
                                    job("a").slots(2).work(200 * 500).deadline(2000, DeadlineStatus.PENDING))
                            .build(),
                    60);

            world.round();
            assertThat(world.job("a").deadlineStatus()).isEqualTo(DeadlineStatus.AT_RISK);
            world.rounds(2);

            assertThat(world.job("a").deadlineStatus()).isEqualTo(DeadlineStatus.GUARANTEED);
        }
    }

    @Nested
    class APromise {
        @Test
        void staysRoundAfterRoundAndIsKept() {
            ClusterSimulation world = new ClusterSimulation(
                    problem().nodes(4).job(due("a", 2, 3000)).build(), 60);
            int arrivals = 0;
            while (!world.hasEnded("a")) {
                world.round();
                if (!world.hasEnded("a")) {
                    assertThat(world.job("a").deadlineStatus())
                            .as("at %s", world.now())
                            .isEqualTo(DeadlineStatus.GUARANTEED);
                }
                world.submit(job("rich" + arrivals++).slots(4).priority(10));
                world.submit(due("asks" + arrivals, 3, world.now() + 900));
            }

            assertThat(world.end("a")).isLessThanOrEqualTo(3000.000001);
        }

        @ParameterizedTest
        @ValueSource(doubles = {1 / 3.0, 17.77, 0.1, 1234.5678})
        void isNotLostToRoundingByAJobThatIsJustOnPace(double speed) {
            double deadline = 1000 + 30 + 700.7;
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(2)
                            .job(job("a").speeds(speed).work(speed * 700.7).deadline(deadline, DeadlineStatus.PENDING))
                            .build(),
                    7.7);
            world.round();
            while (!world.hasEnded("a")) {
                assertThat(world.job("a").deadlineStatus())
                        .as("at %s", world.now())
                        .isEqualTo(DeadlineStatus.GUARANTEED);
                world.round();
            }
        }

        @Test
        void goesBeforeALongWait() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .starvationLimit(100)
                            .jobs(
                                    due("a", 3, 3000).arrival(950),
                                    job("waits").slots(2).waitingSince(0))
                            .build(),
                    60);
            world.round();
            assertThat(world.runs("waits")).as("the longer wait comes first").isTrue();

            ClusterSimulation guaranteed = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .starvationLimit(1000)
                            .jobs(
                                    due("a", 3, 3000),
                                    job("waits").slots(2).waitingSince(990).weight(0.01))
                            .build(),
                    60);
            guaranteed.rounds(25);
            assertThat(guaranteed.runs("waits")).isFalse();
            assertThat(guaranteed.job("a").deadlineStatus()).isEqualTo(DeadlineStatus.GUARANTEED);
        }

        @Test
        void ofWhichNotAllHoldAfterALossIsKeptForTheEarlierJobs() {
            ProblemFixture both = problem()
                    .nodes(2, 2)
                    .jobs(
                            due("early", 2, 2500)
                                    .deadline(3000, DeadlineStatus.PENDING)
                                    .arrival(10)
                                    .weight(0.1),
                            due("late", 2, 2500)
                                    .deadline(3000, DeadlineStatus.PENDING)
                                    .arrival(20));
            ClusterSimulation world = new ClusterSimulation(both.build(), 60);
            world.round();
            assertThat(world.jobs()).extracting(Job::deadlineStatus).containsOnly(DeadlineStatus.GUARANTEED);
            String lost = world.job("early").allocation().placement().get(0).node();

            world.changeNodes(node -> node.id().equals(lost) ? node.withState(NodeState.DRAINING) : node);
            world.round();

            assertThat(world.job("early").deadlineStatus()).isEqualTo(DeadlineStatus.GUARANTEED);
            assertThat(world.job("late").deadlineStatus()).isEqualTo(DeadlineStatus.AT_RISK);
        }
    }

    /** Streams of jobs with and without deadlines: nothing once promised is ever taken back, and all of it is kept. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 61})
    void laterArrivalsNeverBreakAPromise(long seed) {
        Random random = new Random(seed);
        ObjectiveKind[] kinds = ObjectiveKind.values();
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4, 4, 2)
                        .objective(kinds[random.nextInt(kinds.length)])
                        .starvationLimit(3000)
                        .build(),
                60);
        Set<String> guaranteed = new HashSet<>();
        for (int round = 0; round < 40; round++) {
            for (int i = random.nextInt(3); i > 0; i--) {
                world.submit(randomJob(random, "j" + round + "-" + i, world.now()));
            }
            world.round();
            for (Job job : world.jobs()) {
                if (guaranteed.contains(job.id())) {
                    assertThat(job.deadlineStatus())
                            .as("%s at %s", job.id(), world.now())
                            .isEqualTo(DeadlineStatus.GUARANTEED);
                } else if (job.deadlineStatus() == DeadlineStatus.GUARANTEED) {
                    guaranteed.add(job.id());
                }
            }
        }
        assertThat(guaranteed).isNotEmpty();
    }

    private static JobFixture randomJob(Random random, String id, double now) {
        int min = 1 + random.nextInt(3);
        JobFixture job = job(id).slots(min, min + random.nextInt(3))
                .work(100 * (200 + random.nextInt(2000)))
                .restartPenalty(10 + random.nextInt(100))
                .minRun(random.nextInt(200))
                .weight(0.5 + random.nextDouble());
        return random.nextBoolean() ? job.deadline(now + 300 + random.nextInt(2000), DeadlineStatus.PENDING) : job;
    }
}

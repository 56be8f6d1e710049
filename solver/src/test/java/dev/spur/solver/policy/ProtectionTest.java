package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is left alone, and how much a round may disturb. */
class ProtectionTest {
    private static Map<String, ChangeKind> changes(ProblemFixture fixture) {
        RoundPlan plan = Policies.spur().plan(fixture.build());
        Map<String, ChangeKind> changes =
                plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::change));
        plan.waiting().forEach(pendingJob -> changes.put(pendingJob.jobId(), ChangeKind.PREEMPT));
        return changes;
    }

    /** On all 4 slots since {@code since}, with a rich job that wants them. */
    private static ProblemFixture challenged(JobFixture holder, double since) {
        return problem()
                .nodes(4)
                .jobs(
                        holder.slots(4).holding(allocation(since, piece("n1", 0, 4))),
                        job("rich").slots(4).priority(8));
    }

    @Nested
    class AMinimumRunTime {
        @ParameterizedTest
        @CsvSource({"401, KEEP", "400, PREEMPT"})
        void keepsAJobUntilItIsOver(double since, ChangeKind change) {
            assertThat(changes(challenged(job("a").minRun(600), since))).containsEntry("a", change);
        }

        @Test
        void restartsWithEveryRestart() {
            ClusterSimulation world = new ClusterSimulation(
                    challenged(job("a").minRun(600).work(1e7), 0).build(), 60);
            world.round();
            assertThat(world.runs("a")).isFalse();

            world.submit(job("richer").slots(4).priority(10));
            world.rounds(1);

            assertThat(world.runs("rich")).as("rich has no minimum run time").isFalse();
        }
    }

    @Nested
    class ARestart {
        @ParameterizedTest
        @CsvSource({"761, KEEP", "760, PREEMPT"})
        void isNotInterruptedWithinAClass(double since, ChangeKind change) {
            ProblemFixture weighed = problem()
                    .nodes(4)
                    .jobs(
                            job("a").slots(4).restartPenalty(120).holding(allocation(since, piece("n1", 0, 4))),
                            job("rich").slots(4).weight(1000));

            assertThat(changes(weighed)).containsEntry("a", change);
        }

        @Test
        void givesWayToAHigherClass() {
            assertThat(changes(challenged(job("a").restartPenalty(120), 999))).containsEntry("a", ChangeKind.PREEMPT);
        }
    }

    @Nested
    class AJobThatIsNotPreemptible {
        @Test
        void isNeverStoppedMovedOrResized() {
            ProblemFixture drained = problem()
                    .node(node("n1", 4).state(NodeState.DRAINING))
                    .nodes(4)
                    .jobs(
                            job("a").slots(1, 4).notPreemptible().on("n1", 2),
                            job("rich").slots(4).priority(8));

            assertThat(changes(drained)).containsEntry("a", ChangeKind.KEEP);
        }

        @Test
        void maySayNothingUntilItRuns() {
            assertThat(changes(problem()
                            .nodes(4)
                            .jobs(
                                    job("a").slots(4).notPreemptible(),
                                    job("rich").slots(4).priority(8))))
                    .containsEntry("a", ChangeKind.PREEMPT)
                    .containsEntry("rich", ChangeKind.START);
        }
    }

    @Nested
    class ALimitOfRestarts {
        private static ProblemFixture crowd(Integer limit) {
            ProblemFixture fixture = problem().nodes(4);
            for (int i = 0; i < 4; i++) {
                fixture.job(job("old" + i).on("n1", i, 1));
                fixture.job(job("new" + i).priority(5));
            }
            return limit == null ? fixture : fixture.maxRestarts(limit);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 3, 4})
        void allowsThatManyJobsToBeDisturbed(int limit) {
            assertThat(changes(crowd(limit)).entrySet())
                    .filteredOn(entry -> entry.getKey().startsWith("old"))
                    .filteredOn(entry -> entry.getValue() == ChangeKind.PREEMPT)
                    .hasSize(limit);
        }

        @Test
        void isNoneUnlessItIsSet() {
            assertThat(changes(crowd(null)).entrySet())
                    .filteredOn(entry -> entry.getKey().startsWith("old"))
                    .allMatch(entry -> entry.getValue() == ChangeKind.PREEMPT);
        }

        @Test
        void doesNotHinderStarts() {
            ProblemFixture empty = problem().nodes(4).maxRestarts(0).jobs(job("a").slots(2), job("b").slots(2));

            assertThat(changes(empty)).containsValue(ChangeKind.START).doesNotContainValue(ChangeKind.PREEMPT);
        }

        @Test
        void doesNotKeepJobsOnADrainingNode() {
            ProblemFixture drained = problem()
                    .node(node("n1", 4).state(NodeState.DRAINING))
                    .nodes(4)
                    .maxRestarts(0)
                    .job(job("a").on("n1", 1));

            assertThat(changes(drained)).containsEntry("a", ChangeKind.MOVE);
        }
    }

    /** What the world does not allow the judge sees: each round is checked against the one before. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void aBusyClusterLeavesEveryJobItsTime(long seed) {
        Random random = new Random(seed);
        ClusterSimulation world = new ClusterSimulation(
                problem().nodes(4, 4, 2).starvationLimit(1000).build(), 60);
        int changes = 0;
        for (int round = 0; round < 30; round++) {
            for (int i = random.nextInt(3); i > 0; i--) {
                int min = 1 + random.nextInt(4);
                JobFixture job = job("j" + round + "-" + i)
                        .slots(min, min + random.nextInt(4))
                        .work(1e5 * (1 + random.nextInt(5)))
                        .priority(random.nextInt(6))
                        .minRun(random.nextInt(400))
                        .restartPenalty(random.nextInt(120));
                world.submit(random.nextInt(5) == 0 ? job.notPreemptible() : job);
            }
            world.round();
            changes += (int) world.plan().running().stream()
                    .filter(runningJob -> runningJob.change() != ChangeKind.KEEP)
                    .count();
        }
        assertThat(changes).isGreaterThan(10);
    }
}

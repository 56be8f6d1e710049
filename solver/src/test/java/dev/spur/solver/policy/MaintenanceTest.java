package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.RandomProblems;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Maintenance that is ahead, as plans of Spur see it. It is 1,000; jobs do 100 samples/s and nodes drain for 60 s. */
class MaintenanceTest {
    private static List<String> nodesOf(ClusterSimulation world, String id) {
        return world.plan().running().stream()
                .filter(planned -> planned.jobId().equals(id))
                .flatMap(planned -> planned.allocation().placement().stream())
                .map(NodeShare::node)
                .toList();
    }

    @Nested
    class AGangThatRuns {
        @Test
        void leavesInTimeAndGoesOnElsewhere() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .node(node("late", 4))
                            .maintenance(1180, 1600, "n1")
                            .job(job("a").slots(4).on("n1", 4))
                            .build(),
                    60);

            world.rounds(2);
            assertThat(nodesOf(world, "a")).as("until it must leave").containsExactly("n1");
            world.round();

            assertThat(nodesOf(world, "a")).as("60 s before").containsExactly("late");
        }

        @Test
        void waitsWhereThereIsNoOtherPlaceAndComesBackAtTheEnd() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .maintenance(1120, 1240, "n1")
                            .job(job("a").slots(4).on("n1", 4))
                            .build(),
                    60);

            world.rounds(2);
            assertThat(world.runs("a")).isFalse();
            world.rounds(2);
            assertThat(world.runs("a")).as("in maintenance").isFalse();
            world.round();

            assertThat(world.runs("a")).as("at the end").isTrue();
        }

        @Test
        void isStoppedAtTheStartEvenIfItIsNotPreemptible() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .maintenance(1060, 1240, "n1")
                            .job(job("a").slots(4).notPreemptible().on("n1", 4))
                            .build(),
                    60);

            world.round();
            assertThat(nodesOf(world, "a")).as("a minute before").containsExactly("n1");
            world.round();

            assertThat(nodesOf(world, "a")).isEmpty();
        }
    }

    @Nested
    class AGangThatWaits {
        private static RoundPlan plan(ProblemFixture problem) {
            return Policies.spur().plan(problem.build());
        }

        @ParameterizedTest
        @CsvSource({"1130, 1", "1129, 0"})
        void startsWhereItIsDoneBefore(double start, int running) {
            ProblemFixture problem = problem()
                    .nodes(4)
                    .maintenance(start, 5000, "n1")
                    .job(job("a").remaining(10_000).notPreemptible());

            assertThat(plan(problem).running()).hasSize(running);
        }

        @ParameterizedTest
        @CsvSource({"1130, 1", "1129, 0"})
        void startsWhereItsTimeLimitEndsItBefore(double start, int running) {
            ProblemFixture problem = problem()
                    .nodes(4)
                    .maintenance(start, 5000, "n1")
                    .job(job("a").remaining(1e7).notPreemptible().timeLimit(TimeLimit.ofJob(100)));

            assertThat(plan(problem).running()).hasSize(running);
        }

        @Test
        void prefersTheShapeInWhichItIsDoneBefore() {
            RoundPlan plan = plan(problem()
                    .nodes(4)
                    .maintenance(1070, 5000, "n1")
                    .job(job("a").slots(1, 4).speeds(100, 190, 270, 340).remaining(10_000)));

            assertThat(plan.running()).hasSize(1);
            assertThat(plan.running().get(0).allocation().configuration().slots())
                    .as("30 s to start, and 100, 53, 37 or 29 s of work")
                    .isGreaterThanOrEqualTo(3);
        }

        @Test
        void getsTheClosedNodeAndItsEnd() {
            PendingJob pending = plan(problem()
                            .now(1_800_000_000)
                            .nodes(4)
                            .maintenance(1_800_000_060, 1_800_003_660, "n1")
                            .job(job("a")))
                    .waiting()
                    .get(0);

            assertThat(pending.reason()).isEqualTo(PendingReason.NODES_UNAVAILABLE);
            assertThat(pending.message())
                    .contains(
                            "node n1 is in maintenance from 2027-01-15 08:01 UTC to 2027-01-15 09:01 UTC; with a time limit of at most 0:00:30, the job");
        }

        @Test
        void getsThatReasonWhereOtherNodesAreTaken() {
            PendingJob pending = plan(problem()
                            .nodes(4, 4)
                            .maintenance(900, 5000, "n1")
                            .jobs(job("a").slots(4).notPreemptible().on("n2", 4), job("b").slots(4)))
                    .waiting()
                    .get(0);

            assertThat(pending.reason()).isEqualTo(PendingReason.NODES_UNAVAILABLE);
            assertThat(pending.message()).contains("node n1 is in maintenance from second 900 to second 5000");
        }

        @Test
        void liesAcrossNodesWithAndWithoutAWindowThatIsFarAway() {
            assertThat(plan(problem().nodes(4, 4).maintenance(9000, 9999, "n1").job(job("a").slots(8)))
                            .running())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void noPlanBreaksARule(int part) {
        for (int seed = part; seed < 80; seed += 4) {
            RoundProblem problem = RandomProblems.maintained(seed, 6, 10);
            assertThat(ProblemCheck.violations(problem)).isEmpty();

            for (Policy policy : List.of(Policies.spur(), Policies.greedy())) {
                assertThat(PlanCheck.violations(problem, policy.plan(problem)))
                        .as("%s, seed %d", policy.name(), seed)
                        .isEmpty();
            }
        }
    }
}

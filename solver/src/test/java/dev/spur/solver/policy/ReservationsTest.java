package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that are kept for one job, as plans of Spur see it. It is 1,000; jobs do 100 samples/s and take 30 s to start.
 */
class ReservationsTest {
    private static Reservation forJob(double start, double end, Double lead, String... nodes) {
        return new Reservation("kept", List.of(nodes), "root", start, end, "r", lead);
    }

    private static List<String> nodesOf(ClusterSimulation world, String id) {
        return world.plan().running().stream()
                .filter(planned -> planned.jobId().equals(id))
                .flatMap(planned -> planned.allocation().placement().stream())
                .map(NodeShare::node)
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theJobHasItsSlotsFromTheBeginningToTheEnd(long seed) {
        Random random = new Random(seed);
        ProblemFixture problem = problem().nodes(4, 4, 4).reservation(forJob(1360, 1900, 120.0, "n1", "n3"));
        problem.job(job("r").slots(8).weight(0.001).work(1e6).remaining(1e6));
        for (int other = 0; other < 6; other++) {
            problem.job(someJob("o" + other, random));
        }
        ClusterSimulation world = new ClusterSimulation(problem.build(), 60);

        while (world.now() < 1900) {
            double now = world.now();
            if (random.nextInt(3) == 0) {
                world.submit(someJob("late-" + Math.round(now), random));
            }
            world.round();

            if (now >= 1360) {
                assertThat(world.job("r").allocation())
                        .as("seed %d at %s", seed, now)
                        .isNotNull();
                assertThat(world.job("r").allocation().configuration().slots()).isEqualTo(8);
            }
        }
    }

    private static JobFixture someJob(String id, Random random) {
        JobFixture job = job(id).slots(1 + random.nextInt(2), 2 + random.nextInt(3))
                .weight(1 + random.nextInt(20))
                .remaining(3_000 + random.nextInt(90_000))
                .minRun(random.nextBoolean() ? 0 : 90);
        return random.nextInt(3) == 0 ? job.notPreemptible() : job;
    }

    @Nested
    class AnotherJob {
        private static ClusterSimulation world(double start, JobFixture other) {
            return new ClusterSimulation(
                    problem()
                            .nodes(4)
                            .reservation(forJob(start, 5000, 60.0, "n1"))
                            .job(other)
                            .build(),
                    60);
        }

        @ParameterizedTest
        @CsvSource({"1130, 1", "1129, 0"})
        void startsThereIfItIsDoneBefore(double start, int running) {
            ClusterSimulation world = world(start, job("a").remaining(10_000).notPreemptible());

            world.round();

            assertThat(world.plan().running()).hasSize(running);
        }

        @Test
        void leavesAhead() {
            ClusterSimulation world = world(1180, job("a").slots(4).on("n1", 4));

            world.rounds(2);
            assertThat(nodesOf(world, "a")).as("until it must leave").containsExactly("n1");
            world.round();

            assertThat(nodesOf(world, "a")).as("60 s before").isEmpty();
        }

        @Test
        void getsTheReservationAsReason() {
            ClusterSimulation world = world(1100, job("a").remaining(1e6).notPreemptible());

            world.round();

            assertThat(world.plan().waiting())
                    .singleElement()
                    .extracting(PendingJob::reason, PendingJob::message)
                    .containsExactly(
                            PendingReason.RESERVED,
                            "Every suitable node is reserved for others: node n1 from second 1100 to second 5000.");
        }

        @Test
        void ofTheSameTenantIsKeptOffAsWell() {
            ClusterSimulation world = world(1000, job("a"));

            world.round();

            assertThat(world.plan().running()).isEmpty();
        }
    }

    @Test
    void theJobItselfComesBeforeAndStays() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4)
                        .reservation(forJob(1060, 5000, 300.0, "n1"))
                        .job(job("r").slots(4).remaining(1e6).notPreemptible())
                        .build(),
                60);

        world.rounds(3);

        assertThat(nodesOf(world, "r")).containsExactly("n1");
    }

    @Test
    void withoutALeadOthersStayUntilItBegins() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4)
                        .reservation(forJob(1120, 5000, null, "n1"))
                        .job(job("a").slots(4).on("n1", 4))
                        .build(),
                60);

        world.rounds(2);
        assertThat(nodesOf(world, "a")).containsExactly("n1");
        world.round();

        assertThat(nodesOf(world, "a")).isEmpty();
    }
}

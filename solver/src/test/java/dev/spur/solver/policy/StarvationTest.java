package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.objective.ObjectiveKind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No job that fits waits for ever: the bound that {@link Obligations} states, under streams of jobs that are all worth
 * more. Rounds come every 60 s, patience is 600 s.
 */
class StarvationTest {
    private static final double PERIOD = 60;
    private static final double STARVATION_LIMIT = 600;

    private static ProblemFixture cluster() {
        return problem().nodes(4).starvationLimit(STARVATION_LIMIT).aging(1e9);
    }

    /**
     * Seconds until {@code id} starts while, before each round, {@code perRound} new jobs like {@code rival} arrive.
     */
    private static double waitOf(String id, ClusterSimulation world, int perRound, Rival rival) {
        double arrival = world.job(id).arrival();
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < perRound; i++) {
                world.submit(rival.job("rival" + round + "-" + i));
            }
            world.round();
            Double start = world.firstStart(id);
            if (start != null) {
                return start - arrival;
            }
        }
        throw new AssertionError("job %s never started".formatted(id));
    }

    private interface Rival {
        JobFixture job(String id);
    }

    /** The bound with n jobs ahead, each of which keeps its slots for {@code protection}. */
    private static double bound(int ahead, double protection) {
        return STARVATION_LIMIT + (ahead + 1) * (protection + PERIOD) + PERIOD;
    }

    @Nested
    class ALongJobAgainstShortOnes {
        @ParameterizedTest
        @EnumSource(ObjectiveKind.class)
        void startsWhenPatienceEnds(ObjectiveKind kind) {
            ClusterSimulation world = new ClusterSimulation(
                    cluster()
                            .objective(kind)
                            .job(job("long").slots(4).work(1e8).arrival(1000).weight(0.001))
                            .build(),
                    PERIOD);

            double wait = waitOf("long", world, 6, id -> job(id).work(10_000));

            assertThat(wait).isGreaterThan(STARVATION_LIMIT / 2).isLessThanOrEqualTo(bound(0, 30));
        }

        @Test
        void startsThoughEachOfThemIsLeftAloneForAWhile() {
            ClusterSimulation world = new ClusterSimulation(
                    cluster()
                            .job(job("long").slots(4).work(1e8).arrival(1000).weight(0.001))
                            .build(),
                    PERIOD);

            double wait = waitOf("long", world, 1, id -> job(id).work(24_000).minRun(240));

            assertThat(wait).isLessThanOrEqualTo(bound(0, 240));
        }

        @Test
        void startsAcrossNodesThoughEachOfThemIsLeftAloneForAWhile() {
            ClusterSimulation world = new ClusterSimulation(
                    problem()
                            .nodes(2, 2, 2, 2)
                            .starvationLimit(STARVATION_LIMIT)
                            .aging(1e9)
                            .job(job("long").slots(6).work(1e8).arrival(1000).weight(0.001))
                            .build(),
                    PERIOD);

            double wait = waitOf("long", world, 3, id -> job(id).work(40_000).restartPenalty(300));

            assertThat(wait).isLessThanOrEqualTo(bound(0, 300));
        }

        @Test
        void startsThoughDeadlinesKeepAsking() {
            ClusterSimulation world = new ClusterSimulation(
                    cluster()
                            .job(job("long").slots(4).work(1e8).arrival(1000).weight(0.001))
                            .build(),
                    PERIOD);

            double wait = waitOf(
                    "long",
                    world,
                    1,
                    id -> job(id).work(24_000)
                            .minRun(240)
                            .deadline(world.now() + 300, dev.spur.model.job.DeadlineStatus.PENDING));

            assertThat(wait).isLessThanOrEqualTo(bound(0, 300));
        }
    }

    @Nested
    class SeveralLongJobs {
        @ParameterizedTest
        @CsvSource({"0", "240"})
        void takeTurns(double protection) {
            ProblemFixture fixture = cluster();
            for (int i = 0; i < 4; i++) {
                fixture.job(job("long" + i)
                        .slots(4)
                        .work(1e8)
                        .arrival(1000 + i)
                        .minRun(protection)
                        .restartPenalty(0)
                        .weight(0.001));
            }
            ClusterSimulation world = new ClusterSimulation(fixture.build(), PERIOD);

            double wait = waitOf("long3", world, 4, id -> job(id).work(10_000).restartPenalty(0));

            assertThat(wait).isLessThanOrEqualTo(bound(3, Math.max(protection, STARVATION_LIMIT)));
            for (int i = 0; i < 3; i++) {
                assertThat(world.firstStart("long" + i)).isLessThan(world.firstStart("long3"));
            }
        }
    }

    @Nested
    class WhatCannotBeServedDoesNotStandInTheWay {
        @Test
        void ofThoseBehindIt() {
            ProblemFixture fixture = cluster()
                    .job(job("rock").slots(2).work(1e9).notPreemptible().on("n1", 2));
            for (int i = 0; i < 80; i++) {
                fixture.job(job("blocked" + i).slots(3).work(1e8).arrival(500));
            }
            fixture.job(job("long").slots(2).work(1e8).arrival(1000).weight(0.001));
            ClusterSimulation world = new ClusterSimulation(fixture.build(), PERIOD);

            double wait = waitOf("long", world, 4, id -> job(id).work(10_000));

            assertThat(wait).isLessThanOrEqualTo(bound(0, 30));
        }
    }
}

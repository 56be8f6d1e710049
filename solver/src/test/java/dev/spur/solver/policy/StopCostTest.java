package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.Job;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The exchange arguments of a stop, over sequences of rounds. Speeds are 100 effective samples/s for each slot. */
class StopCostTest {
    private static final int MAX_ROUNDS = 400;

    private static JobFixture filling(String id, double seconds, double restart) {
        return job(id).slots(4)
                .speeds(100, 200, 300, 400)
                .work(400 * seconds)
                .restartPenalty(restart)
                .revenue(seconds / 100);
    }

    private static int restarts(ClusterSimulation cluster) {
        int restarts = 0;
        for (int round = 0; round < MAX_ROUNDS && !cluster.jobs().isEmpty(); round++) {
            cluster.round();
            restarts = Math.max(
                    restarts,
                    cluster.jobs().stream()
                            .mapToInt(job -> job.history().restarts() + (isStopped(job) ? 1 : 0))
                            .max()
                            .orElse(0));
        }
        return restarts;
    }

    private static boolean isStopped(Job job) {
        return job.allocation() == null && job.history().firstStart() != null;
    }

    /** A job of a higher class has displaced one of two equal jobs that ran, and has ended. */
    @Test
    void aDisplacedJobResumesBeforeAnEqualOneThatNeverRan() {
        JobFixture displaced = filling("displaced", 3600, 60).arrival(100).restarts(1);
        JobFixture later = filling("later", 3600, 60).arrival(200);

        // the service lists jobs in the order of their submission
        assertThat(Policies.spur()
                        .plan(problem().nodes(4).jobs(displaced, later).build())
                        .running())
                .extracting(PlannedJob::jobId)
                .containsExactly("displaced");
    }

    @Nested
    class EqualJobsNeverSwap {
        @ParameterizedTest
        @EnumSource(
                value = ObjectiveKind.class,
                mode = EnumSource.Mode.EXCLUDE,
                names = {"LEAST_ATTAINED_SERVICE", "PROGRESS"})
        void whateverTheRestartCostAndThePeriod(ObjectiveKind kind) {
            for (int seed = 1; seed <= 12; seed++) {
                Random random = new Random(seed);
                double restart = new double[] {10, 60, 300, 1800}[random.nextInt(4)];
                double period = new double[] {30, 60, 300, 1800}[random.nextInt(4)];
                double seconds = restart + period * (2 + random.nextInt(20));
                ProblemFixture fixture = problem().nodes(4).objective(kind).waitLimitFactor(2);
                for (int i = 0; i < 2 + random.nextInt(6); i++) {
                    fixture.job(filling("j" + i, seconds, restart).arrival(1000));
                }

                assertThat(restarts(new ClusterSimulation(fixture.build(), period)))
                        .as("seed %d: restart %s s, rounds of %s s, jobs of %s s", seed, restart, period, seconds)
                        .isZero();
            }
        }
    }

    @Nested
    class ASwapPaysForItself {
        /** The holder and the waiting job are equal but for the weight; a rigid one loses the gain of two stints. */
        @ParameterizedTest
        @CsvSource({"4, 3.1, false", "4, 3.4, true", "1, 1.1, false", "1, 1.3, true"})
        void withinTheExpectedStint(int minSlots, double weight, boolean swaps) {
            assertThat(swaps(filling("holds", 3600, 60).slots(minSlots, 4), weight))
                    .isEqualTo(swaps);
        }

        @ParameterizedTest
        @CsvSource({"0, true", "900, false"})
        void withTheWorkThatNoCheckpointContains(double unsaved, boolean swaps) {
            assertThat(swaps(filling("holds", 3600, 60).unsavedSeconds(unsaved), 3.4))
                    .isEqualTo(swaps);
        }

        /** Returns whether a rigid job of this weight stops the holder. */
        private boolean swaps(JobFixture holder, double weight) {
            RoundProblem problem = problem()
                    .nodes(4)
                    .job(holder.arrival(900).on("n1", 4))
                    .job(filling("waits", 3600, 60).arrival(900).weight(weight))
                    .build();
            ClusterSimulation cluster = new ClusterSimulation(problem, 60);
            cluster.round();
            return cluster.runs("waits");
        }
    }
}

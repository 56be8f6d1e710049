package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundProblem;
import java.util.Map;
import java.util.Random;

/**
 * Seeded problems of jobs that share few aggregators, and most of which run and change their batch size without a
 * restart.
 */
final class ElasticBatchProblems {
    /** Speed of a slot, samples/s at 64 samples. */
    private static final double SPEED = 100;
    /** Bytes that an aggregation slot sums in a second. */
    private static final double BYTES_PER_SECOND = 5e8;

    private ElasticBatchProblems() {}

    /** Returns a problem of up to {@code maxNodes} nodes and {@code maxJobs} jobs, at least 2 of them. */
    static RoundProblem problem(long seed, int maxNodes, int maxJobs) {
        Random random = new Random(seed);
        int nodes = 1 + random.nextInt(maxNodes);
        int jobs = 2 + random.nextInt(maxJobs - 1);
        ProblemFixture fixture = ProblemFixture.problem();
        for (int n = 0; n < nodes; n++) {
            fixture = fixture.node(
                    node("n" + n, 4).cpus(4).aggregation(n == 0 ? 1 + random.nextInt(2) : random.nextInt(2)));
        }
        int[] used = new int[nodes];
        for (int j = 0; j < jobs; j++) {
            JobFixture own = elastic("j" + j, 1 + random.nextInt(2), random);
            int on = random.nextInt(nodes);
            if (random.nextInt(3) > 0 && used[on] < 4) {
                own.holding(JobFixture.served(0, piece("n" + on, used[on]++, 1), "n0", 1));
            }
            fixture = fixture.jobs(own);
        }
        return fixture.build();
    }

    private static JobFixture elastic(String id, int maxSlots, Random random) {
        double load = 0.05 + 0.5 * random.nextDouble();
        double gain = 1.1 + 0.4 * random.nextDouble();
        JobFixture fixture = job(id).slots(1, maxSlots)
                .synchronization(new Synchronization(false, true, 1, 1, load * 64 / SPEED * BYTES_PER_SECOND))
                .batch(new BatchLimits(64, 64, 128 + random.nextInt(256), 512, Map.of(), false))
                .efficiency(StatisticalEfficiency.ofNoiseScale(50 + random.nextInt(400)))
                .profile(ThroughputProfile.of(
                        point(1, 64, 1), point(1, 256, gain), point(2, 64, 1.8), point(2, 256, 1.8 * gain)))
                .weight(1 + random.nextInt(3))
                .restartPenalty(random.nextInt(120));
        return random.nextInt(4) > 0 ? fixture.reconfigures(random.nextInt(5)) : fixture;
    }

    private static ProfilePoint point(int slots, int batch, double factor) {
        return new ProfilePoint("A100", slots, 1, batch, SyncStrategy.PARAMETER_SERVER, 1, SPEED * factor);
    }
}

package dev.spur.solver.candidate;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.RandomProblems;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every device trains equally many samples in each pass: global batch = slots x per-device batch x passes. */
class BatchSharesTest {
    @Test
    void theEquationHoldsForEveryCandidateOfRandomJobs() {
        int seen = 0;
        for (long seed = 0; seed < 200; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(withMultiples(seed));
            for (int j = 0; j < candidates.jobs(); j++) {
                for (Candidate candidate : candidates.of(j).freshCandidates()) {
                    assertShares(seed, candidates.job(j), candidate.configuration());
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(2_000);
    }

    private static void assertShares(long seed, Job job, Configuration configuration) {
        BatchLimits limits = job.spec().batch();
        int passes = configuration.accumulationSteps() + 1;
        int perDevice = configuration.perDeviceBatch();

        assertThat(configuration.slots() * perDevice * passes)
                .as("seed %d, job %s, %s", seed, job.id(), configuration)
                .isEqualTo(configuration.batchSize())
                .isBetween(limits.min(), limits.max());
        assertThat(perDevice).isLessThanOrEqualTo(limits.maxPerDevice());
        assertThat(perDevice % limits.multipleOf()).isZero();
        assertThat(passes == 1 || limits.accumulation()).isTrue();
        if (!job.spec().efficiency().isKnown()) {
            assertThat(configuration.batchSize()).isEqualTo(limits.initial());
        }
    }

    private static RoundProblem withMultiples(long seed) {
        Random random = new Random(seed);
        RoundProblem problem = RandomProblems.problem(seed, 8, 10);
        return problem.withJobs(problem.jobs().stream()
                .map(job -> job.withSpec(job.spec().edit().batch(limits(random)).build()))
                .toList());
    }

    private static BatchLimits limits(Random random) {
        int min = 1 + random.nextInt(200);
        int initial = min + random.nextInt(200);
        return new BatchLimits(
                initial,
                min,
                initial + random.nextInt(1_000),
                8 + random.nextInt(100),
                Map.of(),
                random.nextInt(3) > 0,
                List.of(1, 1, 2, 8).get(random.nextInt(4)));
    }

    @Test
    void aCountThatDoesNotDivideAFixedBatchIsNoCandidate() {
        RoundProblem problem = problem()
                .nodes(8)
                .job(job("a").slots(1, 8)
                        .batch(BatchLimits.ofBatch(64))
                        .efficiency(StatisticalEfficiency.UNKNOWN)
                        .speeds(100, 190, 270, 340, 400, 450, 490, 520))
                .build();

        assertThat(CandidateGenerator.generate(problem).of(0).freshCandidates())
                .extracting(Candidate::slots)
                .containsExactly(1, 2, 4, 8);
    }
}

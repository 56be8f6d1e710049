package dev.spur.solver.resource;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RestartLimitTest {
    /** Two running jobs that may be preempted, a pinned one, one on a drained node, and a pending one. */
    private static ProblemFixture five() {
        return problem()
                .nodes(8)
                .node(node("drained", 2).state(NodeState.DRAINING))
                .jobs(
                        job("a").slots(1, 2).on("n1", 0, 1),
                        job("b").slots(1, 2).on("n1", 1, 1),
                        job("pinned").notPreemptible().on("n1", 2, 1),
                        job("leaving").on("drained", 1),
                        job("pending"));
    }

    private static CandidateSet candidates(ProblemFixture fixture) {
        return CandidateGenerator.generate(fixture.build());
    }

    private static RestartLimit limit(ProblemFixture fixture) {
        return RestartLimit.of(candidates(fixture));
    }

    @Nested
    class Applies {
        @Test
        void whereMoreJobsAreKeepableThanMayRestart() {
            RestartLimit limit = limit(five().maxRestarts(1));

            assertThat(limit.applies()).isTrue();
            assertThat(limit.limit()).isEqualTo(1);
            assertThat(limit.retainableJobs()).as("a and b").isEqualTo(2);
            assertThat(limit.capacity()).isEqualTo(-1);
        }

        @Test
        void notWithoutALimit() {
            RestartLimit limit = limit(five());

            assertThat(limit.applies()).isFalse();
            assertThat(limit.limit()).isEqualTo(Integer.MAX_VALUE);
            assertThatThrownBy(limit::capacity).hasMessageContaining("does not apply");
        }

        @Test
        void notWhereAllKeepableJobsMayRestart() {
            assertThat(limit(five().maxRestarts(2)).applies()).isFalse();
        }

        @Test
        void notWhereAQuotaHasDecreasedBelowTheUseOfTheRunningJobs() {
            assertThat(limit(five().maxRestarts(0).tenant("root", null, new Quota(3, 0, null)))
                            .applies())
                    .isTrue();
            assertThat(limit(five().maxRestarts(0).tenant("root", null, new Quota(2, 0, null)))
                            .applies())
                    .isFalse();
        }

        @Test
        void notWhereAHostHasDecreasedBelowTheUseOfTheRunningJobs() {
            assertThat(limit(onAHost(2)).applies()).isTrue();
            assertThat(limit(onAHost(1)).applies()).isFalse();
        }

        private static ProblemFixture onAHost(int cpus) {
            return problem()
                    .node(node("n1", 8).cpus(cpus))
                    .maxRestarts(0)
                    .jobs(
                            job("a").host(1, 0).on("n1", 0, 1),
                            job("b").host(1, 0).on("n1", 1, 1));
        }
    }

    @Test
    void restartsAreKeepableJobsThatStopOrChange() {
        CandidateSet candidates = candidates(five().maxRestarts(1));
        RestartLimit limit = RestartLimit.of(candidates);
        int[] choice = {
            candidates.retainedCandidate(0), candidates.retainedCandidate(1), candidates.retainedCandidate(2), -1, -1
        };

        assertThat(limit.restarts(choice)).isZero();
        choice[0] = -1;
        assertThat(limit.restarts(choice)).as("a stops").isEqualTo(1);
        choice[1] = candidates.first(1);
        assertThat(choice[1]).isNotEqualTo(candidates.retainedCandidate(1));
        assertThat(limit.restarts(choice)).as("b changes").isEqualTo(2);
    }

    @Test
    void allocationsCountAsTheirCandidates() {
        CandidateSet candidates = candidates(five().maxRestarts(1));
        RestartLimit limit = RestartLimit.of(candidates);

        assertThat(limit.restarts(j -> candidates.job(j).allocation())).isZero();
        assertThat(limit.restarts(j -> null)).isEqualTo(2);
        assertThat(limit.restarts(j -> candidates.job(1).allocation()))
                .as("a gets the device of b")
                .isEqualTo(1);
    }

    @Test
    void aReconfigurationIsNoRestart() {
        JobFixture elastic = job("a").batch(new BatchLimits(64, 64, 128, 128, Map.of(), false))
                .efficiency(StatisticalEfficiency.ofNoiseScale(1e6))
                .on("n1", 1);

        assertThat(restartsWithAnotherBatch(elastic)).isEqualTo(1);
        assertThat(restartsWithAnotherBatch(elastic.reconfigures(1))).isZero();
    }

    private static int restartsWithAnotherBatch(JobFixture job) {
        CandidateSet candidates = candidates(problem().nodes(2).job(job));
        Allocation heldAllocation = Objects.requireNonNull(candidates.job(0).allocation());
        return RestartLimit.of(candidates)
                .restarts(j -> heldAllocation.withConfiguration(
                        heldAllocation.configuration().withBatch(128, 0)));
    }

    @Test
    void theRowHoldsExactlyWhereTheRestartsAreWithinTheLimit() {
        Random random = new Random(1);
        int violated = 0;
        int applied = 0;
        for (long seed = 0; seed < 200; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.problem(seed, 6, 12));
            RestartLimit limit = RestartLimit.of(candidates);
            if (!limit.applies()) {
                continue;
            }
            applied++;
            for (int trial = 0; trial < 20; trial++) {
                int[] choice = choice(candidates, random);
                int use = 0;
                for (int c : choice) {
                    use += c < 0 ? 0 : limit.coefficient(candidates.get(c));
                }

                assertThat(use <= limit.capacity())
                        .as("seed %d, trial %d", seed, trial)
                        .isEqualTo(limit.restarts(choice) <= limit.limit());
                violated += use > limit.capacity() ? 1 : 0;
            }
        }
        assertThat(applied).isGreaterThan(10);
        assertThat(violated).isGreaterThan(20);
    }

    /** Returns a random candidate of each job, or -1; pinned jobs keep their allocation. */
    private static int[] choice(CandidateSet candidates, Random random) {
        int[] choice = new int[candidates.jobs()];
        for (int j = 0; j < choice.length; j++) {
            int some = candidates.first(j) + random.nextInt(candidates.end(j) - candidates.first(j) + 1);
            choice[j] =
                    candidates.isPinned(j) ? candidates.retainedCandidate(j) : some == candidates.end(j) ? -1 : some;
        }
        return choice;
    }
}

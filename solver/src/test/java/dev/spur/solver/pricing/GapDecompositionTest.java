package dev.spur.solver.pricing;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GapDecompositionTest {
    /** At rough prices as well as at good ones, since the decomposition holds at any. */
    @ParameterizedTest(name = "{0}, {1} passes, hosts bind: {2}")
    @CsvSource({"SUMS, 1, false", "SUMS, 4, true", "SUMS, 300, true", "PATTERNS, 1, true", "PATTERNS, 60, true"})
    void addUpToTheBoundMinusTheObjectiveValue(RelaxationLevel detail, int passes, boolean hostsBind) {
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates = candidates(seed, hostsBind);
            CouplingConstraints rows = CouplingConstraintsBuilder.of(candidates, List.of(), detail);
            DualSolution prices = ColumnGeneration.search(
                    rows, List.of(WarmStartDuals.remembered(rows, Map.of())), pass -> 1e-7, passes, () -> false);
            PartialSolution plan = PartialSolution.of(candidates, GreedyFill.filled(candidates));

            GapDecomposition losses = new GapDecomposition(candidates, rows, prices, plan);

            double ofJobs = IntStream.range(0, candidates.jobs())
                    .mapToDouble(losses::ofJob)
                    .sum();
            double ofNodes = IntStream.range(0, losses.nodes())
                    .mapToDouble(losses::ofNode)
                    .sum();
            assertThat(ofJobs + ofNodes)
                    .as("seed %d", seed)
                    .isEqualTo(prices.settledBound() - worth(candidates, plan), within(1e-6));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"SUMS", "PATTERNS"})
    void ofNoJobAndNoNodeIsNegative(RelaxationLevel detail) {
        for (long seed = 100; seed < 160; seed++) {
            CandidateSet candidates = candidates(seed, true);
            CouplingConstraints rows = CouplingConstraintsBuilder.of(candidates, List.of(), detail);
            DualSolution prices = ColumnGeneration.search(
                    rows, List.of(WarmStartDuals.remembered(rows, Map.of())), pass -> 1e-7, 60, () -> false);
            PartialSolution plan = PartialSolution.of(candidates, GreedyFill.filled(candidates));

            GapDecomposition losses = new GapDecomposition(candidates, rows, prices, plan);

            assertThat(IntStream.range(0, candidates.jobs())
                            .mapToDouble(losses::ofJob)
                            .min()
                            .orElse(0))
                    .as("smallest loss of a job at seed %d", seed)
                    .isGreaterThanOrEqualTo(-1e-9);
            assertThat(IntStream.range(0, losses.nodes())
                            .mapToDouble(losses::ofNode)
                            .min()
                            .orElse(0))
                    .as("smallest loss of a node at seed %d", seed)
                    .isGreaterThanOrEqualTo(-1e-9);
        }
    }

    private static double worth(CandidateSet candidates, PartialSolution plan) {
        return IntStream.of(plan.choice())
                .filter(c -> c >= 0)
                .mapToDouble(c -> candidates.get(c).utility())
                .sum();
    }

    /** Nodes of two sizes, gangs over nodes, and jobs that hold devices, some of which may not be touched. */
    private static CandidateSet candidates(long seed, boolean hostsBind) {
        Random random = new Random(seed);
        ProblemFixture problem = problem();
        for (int v = 1; v <= 4; v++) {
            int slots = v % 2 == 0 ? 4 : 8;
            problem.node(node("n" + v, slots).cpus(slots * 2.0));
        }
        for (int j = 0; j < 10; j++) {
            int most = 1 + random.nextInt(10);
            JobFixture job = job("j" + j).slots(Math.max(1, most / 2), most).weight(1 + random.nextInt(5));
            if (hostsBind) {
                job.host(random.nextInt(4), 1);
            }
            if (j < 4 && random.nextBoolean()) {
                job.slots(1, 1 + random.nextInt(4)).on("n" + (j + 1), 1);
                if (random.nextBoolean()) {
                    job.notPreemptible();
                }
            }
            problem.job(job);
        }
        return CandidateGenerator.generate(problem.build());
    }
}

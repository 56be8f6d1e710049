package dev.spur.solver.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundProblem;
import dev.spur.solver.RandomProblems;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KnownCandidatesTest {
    /** Seconds after which no job of the problems runs. */
    private static final double NEVER = 1e12;

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    private static CandidateSet all(int seed) {
        RoundProblem problem = RandomProblems.problem(seed, 12, 30);
        return CandidateGenerator.generate(problem);
    }

    /** Returns the candidates with a reservation of {@code node} when no class is known. */
    private static CandidateSet generatedAnew(CandidateSet all, String node, double from) {
        Map<String, Double> firstNodes = new HashMap<>();
        all.clusterIndex().classes().forEach(nodeClass -> {
            String first =
                    all.clusterIndex().nodes().get(nodeClass.nodes().get(0)).id();
            firstNodes.put(first, NEVER);
        });
        return CandidateGenerator.reserving(CandidateGenerator.reserving(all, firstNodes), Map.of(node, from));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalThoseThatAreGeneratedAnew(int seed) {
        CandidateSet all = all(seed);
        int reserved = seed % all.problem().nodes().size();
        String node = all.problem().nodes().get(reserved).id();
        double from = all.problem().now() + 600;

        CandidateSet found = CandidateGenerator.reserving(all, Map.of(node, from));
        CandidateSet expected = generatedAnew(all, node, from);

        for (int j = 0; j < all.jobs(); j++) {
            assertThat(found.of(j)).isEqualTo(expected.of(j));
        }
    }

    @Test
    void existForMostClasses() {
        long known = seeds().mapToLong(seed -> {
                    CandidateSet all = all(seed);
                    CandidateSet found = CandidateGenerator.reserving(
                            all,
                            Map.of(
                                    all.problem().nodes().get(0).id(),
                                    all.problem().now()));
                    KnownCandidates knownCandidates = new KnownCandidates(all, found.clusterIndex());
                    return found.clusterIndex().classes().stream()
                            .filter(knownCandidates::include)
                            .count();
                })
                .sum();

        assertThat(known).isGreaterThan(40);
    }
}

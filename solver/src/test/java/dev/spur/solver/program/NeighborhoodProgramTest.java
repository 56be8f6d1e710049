package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.Enumeration;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A part that holds the whole cluster has the plans of the cluster: alike nodes, nodes with keepers, hosts that bind.
 */
class NeighborhoodProgramTest {
    private static final SolveBudget BUDGET = new SolveBudget(10, 10, 1, 1);

    @ParameterizedTest(name = "{0} nodes, hosts bind: {1}, some hold nodes: {2}")
    @CsvSource({"2, false, false", "3, false, false", "3, false, true", "2, true, false", "3, true, true"})
    void thePlanFoundIsTheBestAndFits(int nodes, boolean hostsBind, boolean someHold) {
        int found = 0;
        for (long seed = 0; seed < 40; seed++) {
            CandidateSet candidates = candidates(seed, nodes, hostsBind, someHold);

            Map<Integer, List<Integer>> plan = solved(candidates);

            if (plan != null) {
                found++;
                assertIsBest(candidates, plan, seed);
                assertFits(candidates, plan);
            }
        }
        assertThat(found).as("programs whose gangs need not meet on a node").isGreaterThanOrEqualTo(38);
    }

    private static void assertIsBest(CandidateSet candidates, Map<Integer, List<Integer>> plan, long seed) {
        double worth = IntStream.concat(
                        plan.keySet().stream().mapToInt(c -> c),
                        settled(candidates).stream().mapToInt(c -> c))
                .mapToDouble(c -> candidates.get(c).utility())
                .sum();
        assertThat(worth).as("worth at seed %d", seed).isEqualTo(Enumeration.bestWorth(candidates), within(1e-6));
    }

    private static CandidateSet candidates(long seed, int nodes, boolean hostsBind, boolean someHold) {
        Random random = new Random(seed);
        int slots = 3 + random.nextInt(6);
        ProblemFixture problem = problem();
        for (int v = 1; v <= nodes; v++) {
            problem.node(node("n" + v, slots).cpus(slots * 2.0));
        }
        for (int j = 0; j < 5; j++) {
            int max = 1 + random.nextInt(slots * nodes);
            JobFixture job = job("j" + j).slots(Math.max(1, max / 2), max).weight(1 + random.nextInt(5));
            if (random.nextInt(3) == 0) {
                // pieces so small that a node holds two of them
                job = job("j" + j).slots(2 * nodes).speed("A100", 2 * nodes, nodes, 900 + random.nextInt(900));
            }
            if (hostsBind) {
                job.host(random.nextInt(4), 1);
            }
            if (someHold && j < nodes && random.nextBoolean()) {
                job.slots(1, 1 + random.nextInt(slots)).on("n" + (j + 1), 1);
                if (random.nextBoolean()) {
                    job.notPreemptible();
                }
            }
            problem.job(job);
        }
        return CandidateGenerator.generate(problem.build());
    }

    private static @Nullable Map<Integer, List<Integer>> solved(CandidateSet candidates) {
        List<Integer> nodes = IntStream.range(
                        0, candidates.clusterIndex().nodes().size())
                .boxed()
                .toList();
        NeighborhoodProgram program =
                new NeighborhoodProgram(VariableFixing.ofPinnedJobs(candidates), List.of(), nodes);
        return program.solve(BUDGET, 10, 0);
    }

    /** What those who may not be touched hold. */
    private static List<Integer> settled(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .filter(candidates::isPinned)
                .map(candidates::retainedCandidate)
                .boxed()
                .toList();
    }

    private static ResidualCapacity room(CandidateSet candidates) {
        ResidualCapacity room = new ResidualCapacity(candidates);
        settled(candidates)
                .forEach(c -> assertThat(room.place(ResourceDemand.of(candidates, candidates.get(c))))
                        .isNotNull());
        return room;
    }

    /**
     * Room itself says whether what was found fits: gangs on nodes of their own, slots and hosts within what there is.
     */
    private static void assertFits(CandidateSet candidates, Map<Integer, List<Integer>> found) {
        ResidualCapacity room = room(candidates);
        found.keySet().stream()
                .filter(c -> candidates.get(c).isRetained())
                .forEach(c -> assertThat(room.place(ResourceDemand.of(candidates, candidates.get(c))))
                        .isNotNull());
        found.forEach((c, on) -> {
            if (!candidates.get(c).isRetained()) {
                assertThat(new HashSet<>(on)).as("nodes of a gang").hasSameSizeAs(on);
                for (int i = 0; i < on.size(); i++) {
                    int piece = candidates.get(c).configuration().shape().get(i);
                    assertThat(room.cluster()
                                    .holds(
                                            on.get(i),
                                            piece,
                                            candidates
                                                    .job(candidates.get(c).job())
                                                    .spec()
                                                    .host()))
                            .isTrue();
                }
                room.add(
                        ResourceDemand.of(candidates, candidates.get(c)),
                        on.stream().mapToInt(Integer::intValue).toArray());
            }
        });
    }
}
